/** Rates that moved too far and wait for an admin's yes or no, and what others say of them. */
import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { quarantineReasons } from './rate-outcomes.ts';
import { edge, KeptProvider } from './rates.ts';
import { Id, Many, One, Rate, SignedDecimal, Strict, Time } from './wire.ts';

const nullableTime = Type.Union([Time, Type.Null()]);
const nullableString = Type.Union([Type.String(), Type.Null()]);

/** What another provider says of a rate that waits: it approves nothing by itself. */
export const RateOpinion = Type.Object({
  label: Type.String(),
  /** Over its own rates alone, in the terms and the direction of the question; null where it gave none that fits. */
  rate: Type.Union([Rate, Type.Null()]),
  /** From the rate that waits to this one. */
  away_percent: Type.Union([SignedDecimal, Type.Null()]),
  /** Whether they are within what two providers may differ by. */
  agrees: Type.Union([Type.Boolean(), Type.Null()]),
  /** False: it was asked, and no answer came. */
  answered: Type.Boolean(),
  heard_at: Time,
  /** The provider's own time of it: a figure of before the one that waits says little against it. */
  as_of: nullableTime,
});
export type RateOpinion = Static<typeof RateOpinion>;

export const QuarantinedRate = Type.Object({
  id: Id,
  ...edge,
  provider: KeptProvider,
  label: Type.String(),
  as_of: Time,
  reason: Type.Enum(quarantineReasons),
  /**
   * What it was compared with, in the same direction: what is believed meanwhile, or for `drift`
   * the rate of a day before, else the first since that was known, or that an admin accepted. Null
   * where there was no way to compare it, or that is too long or too small to be written.
   */
  previous_rate: Type.Union([Rate, Type.Null()]),
  /** Null where there was no way to compare it. */
  change_percent: Type.Union([SignedDecimal, Type.Null()]),
  /**
   * For `contradicted` who says something else, by its label: of several, the one whose rate would
   * have been believed. Null for other reasons, and where it was not kept yet.
   */
  contradicted_by: nullableString,
  /** Of the other providers that were asked about this figure; empty where none was, null where it was not kept yet. */
  opinions: Type.Union([Type.Array(RateOpinion), Type.Null()]),
  /**
   * What is believed since it came, so that a yes is refused: in the same terms, or as it was given
   * where nothing connects the two. Null where a yes is possible, and once decided.
   */
  outdated_by: Type.Union([Type.Object({ ...edge, label: Type.String() }), Type.Null()]),
  created_at: Time,
  /** When a run last brought it. */
  seen_at: Time,
  decision: Type.Union([Type.Enum(['accepted', 'refused', 'withdrawn'] as const), Type.Null()]),
  decided_by: nullableString,
  decided_at: nullableTime,
  /** So long an admin's word has weight in later runs; null where none was said, or a later yes ended it. */
  word_until: nullableTime,
});
export type QuarantinedRate = Static<typeof QuarantinedRate>;

/** Those that wait first, the newest of them first, then those decided, the last one first: 100, and each no of seven days. */
export const listQuarantine = endpoint({
  method: 'GET',
  path: '/api/admin/rates/quarantine',
  scope: 'admin',
  permission: 'money',
  throttle: 'read',
  summary: 'Rates that moved too far, waiting for a yes or no, and those decided lately.',
  status: 200,
  reply: Many(QuarantinedRate),
});

export const decideQuarantine = endpoint({
  method: 'POST',
  path: '/api/admin/rates/quarantine/{id}/decision',
  scope: 'admin',
  permission: 'money',
  throttle: 'write',
  summary: 'Believes a rate that moved too far, or refuses it; pairs follow at once.',
  status: 200,
  params: Strict({ id: Id }),
  body: Strict({
    decision: Type.Enum(['accept', 'refuse'] as const),
    /** The rate that the admin saw: another one since answers 409. */
    rate: Rate,
  }),
  reply: One(QuarantinedRate),
  refusals: ['already_decided', 'rate_changed', 'rate_outdated'],
});

/** All of them or none, each recorded by itself; a yes is said to each alone. */
export const refuseAllQuarantined = endpoint({
  method: 'POST',
  path: '/api/admin/rates/quarantine/refusals',
  scope: 'admin',
  permission: 'money',
  throttle: 'write',
  summary:
    'Refuses several rates that moved too far, such as all of one run; pairs follow at once.',
  status: 200,
  body: Strict({
    /** Each with the rate that the admin saw: another one since answers 409. */
    rates: Type.Array(Strict({ id: Id, rate: Rate }), { minItems: 1, maxItems: 100 }),
  }),
  reply: Many(QuarantinedRate),
  refusals: ['already_decided', 'rate_changed'],
});

/** For a no that was a mistake: the next run that hears the figure asks about it again. */
export const takeBackRefusal = endpoint({
  method: 'DELETE',
  path: '/api/admin/rates/quarantine/{id}/decision',
  scope: 'admin',
  permission: 'money',
  throttle: 'write',
  summary: 'Takes back an admin’s no to a rate, so that it is asked about again.',
  status: 200,
  params: Strict({ id: Id }),
  reply: One(QuarantinedRate),
  refusals: ['not_refused'],
});
