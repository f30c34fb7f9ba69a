/**
 * What a failed order means: either the API has decided and the key is spent, or it is unknown
 * whether an exchange was made, and only the same order with the same key may be sent again. Pure.
 */
import { anotherPerson } from '@cambist/contract/endpoint';
import type { Failure } from '#lib/api/client.ts';

export type OrderOutcome =
  /** Undecided: send the same order again. */
  | 'unknown'
  /** The quote has expired or is invalid: request a new one. */
  | 'price_gone'
  /** The quote has become an exchange already. */
  | 'already_made'
  /** A payout or sender field was refused. */
  | 'answers_refused'
  /** Other amounts or another pair may work. */
  | 'amounts_refused'
  /** Refused for another reason. */
  | 'refused';

const byCode: Readonly<Record<string, OrderOutcome>> = {
  idempotency_in_progress: 'unknown',
  // Refused unread: an earlier attempt may have succeeded.
  [anotherPerson]: 'unknown',
  quote_expired: 'price_gone',
  quote_invalid: 'price_gone',
  quote_used: 'already_made',
  pair_unavailable: 'amounts_refused',
  rates_stale: 'amounts_refused',
  insufficient_reserve: 'amounts_refused',
  limit_exceeded: 'amounts_refused',
  site_closed: 'refused',
};

/** Statuses from before the order was read, or in place of an answer. */
const undecided = new Set([0, 401, 408, 419, 425, 429]);

export function orderOutcome({ status, code, errors }: Failure): OrderOutcome {
  const known = byCode[code];
  if (known) return known;
  if (undecided.has(status) || status >= 500) return 'unknown';
  const fields = Object.keys(errors);
  if (fields.some((field) => /^(payout|sender)_fields\b/.test(field))) return 'answers_refused';
  return 'refused';
}
