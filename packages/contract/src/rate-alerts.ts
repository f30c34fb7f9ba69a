/** Rate alerts: an email when the rate of a pair, as the customer gets it, reaches a figure. */
import { Type, type Static } from 'typebox';
import { PublicCurrency } from './currencies.ts';
import { endpoint, memberReads, memberWrites } from './endpoint.ts';
import { pairStatus } from './pair-terms.ts';
import { Id, Many, One, Rate, Slug, Strict, Time } from './wire.ts';

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
  paused_by: Type.Union([Type.Enum(['pair', 'address'] as const), Type.Null()]),
  /** The customer's current rate; null while the pair is paused. */
  rate: Type.Union([Rate, Type.Null()]),
  pair_state: pairStatus.state,
  /** The email, and its rate. */
  sent_at: Type.Union([Time, Type.Null()]),
  sent_rate: Type.Union([Rate, Type.Null()]),
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
  method: 'POST',
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
