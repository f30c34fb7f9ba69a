/**
 * What a failed order means. Either the service has decided, and the key is
 * spent, or nobody knows whether an exchange was made, and only the same order
 * with the same key may be sent again. Pure.
 */
import { anotherPerson } from '@cambist/contract/endpoint';
import type { Failure } from '#lib/api/client.ts';

export type OrderOutcome =
  /** No answer that decides anything: send the same order again. */
  | 'unknown'
  /** The price has run out or is no longer redeemable: ask for a new one. */
  | 'price_gone'
  /** The quote became an exchange already: look among the exchanges. */
  | 'already_made'
  /** An answer about the payout or the sender was refused. */
  | 'answers_refused'
  /** Other amounts or another pair may do. */
  | 'amounts_refused'
  /** Anything else that was refused for good. */
  | 'refused';

const byCode: Readonly<Record<string, OrderOutcome>> = {
  idempotency_in_progress: 'unknown',
  // Refused before it was looked at: an earlier try may have made it.
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

/** Statuses that are given before the order is looked at, or instead of an answer. */
const undecided = new Set([0, 401, 408, 419, 425, 429]);

export function orderOutcome({ status, code, errors }: Failure): OrderOutcome {
  const known = byCode[code];
  if (known) return known;
  if (undecided.has(status) || status >= 500) return 'unknown';
  const fields = Object.keys(errors);
  if (fields.some((field) => /^(payout|sender)_fields\b/.test(field))) return 'answers_refused';
  return 'refused';
}
