/** The history of a pair's mid rate. */
import { Type, type Static } from 'typebox';
import { PublicCurrency } from './currencies.ts';
import { endpoint, publicReads } from './endpoint.ts';
import { pairStatus } from './pair-terms.ts';
import { nullable, One, Rate, SignedDecimal, Slug, Strict, Time } from './wire.ts';

/** The last 24 hours, 7, 30 or 365 days. */
export const historyRanges = ['day', 'week', 'month', 'year'] as const;
export type HistoryRange = (typeof historyRanges)[number];

/** A mid rate, in force here from `at` until the next one; `as_of` is its provider's own time. */
export const HistoryPoint = Type.Object({
  at: Time,
  rate: Rate,
  source: Type.String(),
  as_of: Time,
});
export type HistoryPoint = Static<typeof HistoryPoint>;

export const RateHistory = Type.Object({
  pair: Slug,
  send: PublicCurrency,
  receive: PublicCurrency,
  /** The customer's rate now; null while the pair is paused. */
  rate: nullable(Rate),
  range: Type.Enum(historyRanges),
  since: Time,
  until: Time,
  /**
   * At most 204 mid rates, oldest first: the last one of each of 200 steps, the highest and the lowest.
   * The first may be from before `since`. Empty for a paused pair.
   */
  points: Type.Array(HistoryPoint),
  /** Percent from the first point to the last; null without points. */
  change: nullable(SignedDecimal),
  /** Of all mid rates in the range; among the points. */
  high: nullable(Rate),
  low: nullable(Rate),
  last: nullable(HistoryPoint),
  ...pairStatus,
});
export type RateHistory = Static<typeof RateHistory>;

export const rateHistory = endpoint({
  ...publicReads,
  path: '/api/public/rates/{pair}',
  summary: 'The mid rate of a pair in a day, a week, a month or a year.',
  params: Strict({ pair: Slug }),
  query: Strict({ range: Type.Optional(Type.Enum(historyRanges)) }),
  reply: One(RateHistory),
});
