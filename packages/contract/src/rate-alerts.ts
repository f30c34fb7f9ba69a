/** Rate alerts: an email when the rate of a pair, as the customer gets it, reaches a figure. */
import { Type, type Static } from 'typebox';
import { PublicCurrency } from './currencies.ts';
import { endpoint } from './endpoint.ts';
import { standing } from './pair-terms.ts';
import { Id, Many, One, Rate, Slug, Strict, Time } from './wire.ts';

/** More than this many an account cannot have. */
export const maxRateAlerts = 20;

/** From which side the rate comes to the line. */
export const alertDirections = ['at_least', 'at_most'] as const;
export type AlertDirection = (typeof alertDirections)[number];

/**
 * `waiting`: the next rate at or past the line is told. `sent`: it was told, and is not told again,
 * or not before the rate was on the other side of the line. `paused`: nothing is told for now.
 */
export const alertStates = ['waiting', 'sent', 'paused'] as const;
export type AlertState = (typeof alertStates)[number];

/** What an alert asks for; the link of an email shows no more. */
const asked = {
  pair: Slug,
  send: PublicCurrency,
  receive: PublicCurrency,
  direction: Type.Enum(alertDirections),
  /** Units of the receive currency for one of the send currency, without zeros at its end. */
  target: Rate,
  /** Told each time the rate crosses the line; else once. */
  repeats: Type.Boolean(),
};

export const RateAlert = Type.Object({
  id: Id,
  ...asked,
  state: Type.Enum(alertStates),
  /** Why it is paused: the pair takes no exchanges, or the account's address is not confirmed. */
  paused_by: Type.Union([Type.Enum(['pair', 'address'] as const), Type.Null()]),
  /** The customer's rate now, and how the pair stands; null while the pair is paused. */
  rate: Type.Union([Rate, Type.Null()]),
  pair_state: standing.state,
  /** The last email, and the rate that it told of. */
  sent_at: Type.Union([Time, Type.Null()]),
  sent_rate: Type.Union([Rate, Type.Null()]),
  created_at: Time,
});
export type RateAlert = Static<typeof RateAlert>;

export const listRateAlerts = endpoint({
  method: 'GET',
  path: '/api/rate-alerts',
  scope: 'member',
  throttle: 'read',
  summary: "One's own rate alerts, the newest first.",
  status: 200,
  reply: Many(RateAlert),
});

/** One with the same pair, direction and figure is there already: it waits again, as often as asked now. */
export const createRateAlert = endpoint({
  method: 'POST',
  path: '/api/rate-alerts',
  scope: 'member',
  throttle: 'write',
  summary: 'Asks for an email when the rate of a pair reaches a figure.',
  status: 201,
  body: Strict({
    pair: Slug,
    direction: Type.Enum(alertDirections),
    target: Rate,
    repeats: Type.Optional(Type.Boolean()),
  }),
  reply: One(RateAlert),
  refusals: ['email_unverified', 'pair_unavailable'],
});

export const deleteRateAlert = endpoint({
  method: 'DELETE',
  path: '/api/rate-alerts/{id}',
  scope: 'member',
  throttle: 'write',
  summary: 'Ends a rate alert.',
  status: 204,
  params: Strict({ id: Id }),
});

const byToken = Strict({ token: Type.String({ maxLength: 100 }) });

/** What the link of an email would stop; null when it is stopped already. Nothing of the person. */
export const AlertSight = Type.Union([Type.Object(asked), Type.Null()]);
export type AlertSight = Static<typeof AlertSight>;

export const getAlertLink = endpoint({
  method: 'GET',
  path: '/api/public/rate-alerts/{token}',
  scope: 'public',
  throttle: 'read',
  summary: "What the link of a rate alert's letter would stop, without stopping it.",
  status: 200,
  params: byToken,
  reply: Type.Object({ data: AlertSight }),
});

/** Twice is no error. */
export const stopRateAlert = endpoint({
  method: 'POST',
  path: '/api/public/rate-alerts/{token}/stop',
  scope: 'public',
  // Mailboxes of very many people post from the same few networks.
  throttle: 'read',
  summary: 'Ends the rate alert of an email, for whoever holds its link (RFC 8058).',
  status: 204,
  params: byToken,
  anyForm: true,
});

/** For mail programs that open the address of the one click instead of posting to it: nothing is changed by it. */
export const openAlertLink = endpoint({
  method: 'GET',
  path: '/api/public/rate-alerts/{token}/stop',
  scope: 'public',
  throttle: 'read',
  summary: 'Leads to the page that asks whether to end the rate alert.',
  status: 302,
  params: byToken,
});
