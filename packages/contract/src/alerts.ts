/**
 * Rate alerts: an email when the rate of a pair, as the customer gets it, reaches a figure. Reserve alerts:
 * one email when an amount above the reserve can be paid out. The address confirms it by the link of an
 * email; it ends when it was sent, or after 30 days.
 */
import { Type, type Static } from 'typebox';
import { PublicCurrency } from './currencies.ts';
import { endpoint, memberReads, memberWrites, publicReads, publicWrites } from './endpoint.ts';
import { Bait } from './feature-reports.ts';
import { Stamp } from './form-stamp.ts';
import { pairStatus } from './pair-terms.ts';
import { Amount, Email, Id, Many, nullable, One, Rate, Slug, Strict, Time } from './wire.ts';

export const maxRateAlerts = 20;

export const alertDirections = ['at_least', 'at_most'] as const;
export type AlertDirection = (typeof alertDirections)[number];

/**
 * `waiting`: the next rate at or past the target sends the email. `sent`: no further email. `paused`:
 * no email for now.
 */
export const alertStates = ['waiting', 'sent', 'paused'] as const;
export type AlertState = (typeof alertStates)[number];

export const RateAlert = Type.Object({
  id: Id,
  pair: Slug,
  send: PublicCurrency,
  receive: PublicCurrency,
  direction: Type.Enum(alertDirections),
  /** Units of the receive currency for one of the send currency, without trailing zeros. */
  target: Rate,
  state: Type.Enum(alertStates),
  /** Why it is paused: the pair takes no exchanges, or the account's address is not confirmed. */
  paused_by: nullable(Type.Enum(['pair', 'address'] as const)),
  /** The customer's current rate; null while the pair is paused. */
  rate: nullable(Rate),
  pair_state: pairStatus.state,
  /** The email, and its rate. */
  sent_at: nullable(Time),
  sent_rate: nullable(Rate),
  created_at: Time,
});
export type RateAlert = Static<typeof RateAlert>;

export const listRateAlerts = endpoint({
  ...memberReads,
  path: '/api/rate-alerts',
  summary: "One's own rate alerts, the newest first.",
  reply: Many(RateAlert),
});

/** One with the same pair, direction and target waits again. */
export const createRateAlert = endpoint({
  ...memberWrites,
  path: '/api/rate-alerts',
  summary: 'Asks for an email when the rate of a pair reaches a figure.',
  status: 201,
  body: Strict({
    pair: Slug,
    direction: Type.Enum(alertDirections),
    target: Rate,
  }),
  reply: One(RateAlert),
  refusals: ['email_unverified', 'pair_unavailable'],
});

export const deleteRateAlert = endpoint({
  ...memberWrites,
  method: 'DELETE',
  path: '/api/rate-alerts/{id}',
  summary: 'Ends a rate alert.',
  status: 204,
  params: Strict({ id: Id }),
});

export const askReserveAlert = endpoint({
  ...publicWrites,
  path: '/api/public/reserve-alerts',
  throttle: 'email',
  summary:
    'Asks for one email when an amount can be paid out. The answer is the same for every address; the address gets an email to confirm.',
  status: 202,
  body: Strict({
    pair: Slug,
    /** In the receive currency. */
    amount: Amount,
    email: Email,
    locale: Type.Optional(Type.String({ pattern: '^[a-z]{2}(-[A-Z]{2})?$', maxLength: 5 })),
    website: Bait,
    stamp: Stamp,
  }),
  reply: One(Type.Object({ accepted: Type.Literal(true) })),
  refusals: ['site_closed'],
});

const byToken = Strict({ token: Type.String({ maxLength: 100 }) });

/** Opening the link changes nothing: mail scanners do. */
export const getReserveAlert = endpoint({
  ...publicReads,
  path: '/api/public/reserve-alerts/{token}',
  summary: 'What the link that confirms would confirm, without doing it.',
  params: byToken,
  reply: One(
    Type.Object({
      email: Type.String(),
      pair: Slug,
      receive: PublicCurrency,
      amount: Amount,
      state: Type.Enum(['pending', 'confirmed'] as const),
    }),
  ),
});

/** Twice is no error. */
export const confirmReserveAlert = endpoint({
  ...publicWrites,
  path: '/api/public/reserve-alerts/{token}',
  summary: 'Confirms a reserve alert by the link of its email.',
  status: 204,
  params: byToken,
});
