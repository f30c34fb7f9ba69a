/** Pairs: directions between two currencies, each with its price and limits. */
import { Type, type Static } from 'typebox';
import { PublicCurrency } from './currencies.ts';
import { adminReads, adminWrites, endpoint, publicReads } from './endpoint.ts';
import {
  BoundedFee,
  CustomerLimits,
  editablePair,
  pairSettings,
  manualRate,
  midRate,
  nullableHours,
  pairStatus,
} from './pair-terms.ts';
import { Breakdown } from './quotes.ts';
import {
  Amount,
  Id,
  Many,
  One,
  Rate,
  RateChange,
  SignedDecimal,
  Slug,
  Strict,
  Time,
  Version,
} from './wire.ts';

const nullableAmount = Type.Union([Amount, Type.Null()]);
const nullableRate = Type.Union([Rate, Type.Null()]);
const nullableTime = Type.Union([Time, Type.Null()]);
const nullableString = Type.Union([Type.String(), Type.Null()]);

/** All that a browser needs to price a pair exactly. */
export const ConverterPair = Type.Object({
  slug: Slug,
  /** Slugs of the two currencies. */
  send: Slug,
  receive: Slug,
  /** The customer's rate below the first tier. */
  rate: Rate,
  /**
   * Ascending: the customer's rate for a whole amount from `from` on, in the send currency; only tiers
   * within the limits.
   */
  tiers: Type.Array(Type.Object({ from: Amount, rate: Rate })),
  mid_rate: nullableRate,
  mid_source: nullableString,
  mid_as_of: nullableTime,
  fees: Type.Object({ send: BoundedFee, receive: BoundedFee }),
  /** The payout is a multiple of this, in the receive currency. */
  payout_step: Amount,
  /** Of one exchange. */
  min: Amount,
  max: Amount,
  /** One customer's limits in 24 hours and in 30 days; null: none. */
  day_max: nullableAmount,
  month_max: nullableAmount,
  /** Fewer while the rate is delayed. */
  lock_minutes: Type.Integer(),
  pay_minutes: Type.Integer(),
  payout_time: Type.String(),
  /** In the `time_zone` of the settings `general`. Null: always open. */
  hours: nullableHours,
  /** Never `paused`: such a pair is left out. */
  ...pairStatus,
});
export type ConverterPair = Static<typeof ConverterPair>;

/** `export_code`: its name in feeds and in the links of monitors. */
export const ConverterCurrency = Type.Object({
  ...PublicCurrency.properties,
  export_code: Type.String(),
  /** What can be paid out now, some seconds old; capped: there is more. The quote decides. */
  reserve: Amount,
  reserve_capped: Type.Boolean(),
});
export type ConverterCurrency = Static<typeof ConverterCurrency>;

export const converter = endpoint({
  ...publicReads,
  path: '/api/public/currencies-converter',
  summary: 'Currencies and pairs with everything a converter needs.',
  reply: Type.Object({
    data: Type.Object({
      currencies: Type.Array(ConverterCurrency),
      pairs: Type.Array(ConverterPair),
      customer_limits: CustomerLimits,
    }),
  }),
});

export const ShowcaseRate = Type.Object({
  pair: Slug,
  send: PublicCurrency,
  receive: PublicCurrency,
  /** The customer's rate: receive units for one send unit. */
  rate: Rate,
  /** Percent since the last mid rate at least 24 hours old; null without one. */
  change_24h: Type.Union([SignedDecimal, Type.Null()]),
  /** Mid rates of the last seven days, oldest first, at most 28 points. */
  sparkline: Type.Array(Rate),
  as_of: Time,
  /** Never `paused`: such a pair is left out. */
  ...pairStatus,
});
export type ShowcaseRate = Static<typeof ShowcaseRate>;

export const ratesShowcase = endpoint({
  ...publicReads,
  path: '/api/public/rates-showcase',
  summary: 'Live rates for the home page.',
  reply: Many(ShowcaseRate),
});

export const Pair = Type.Object({
  id: Id,
  slug: Slug,
  send: PublicCurrency,
  receive: PublicCurrency,
  ...pairSettings,
  /** The customer's rate below the first tier; null without a mid rate. */
  rate: nullableRate,
  ...pairStatus,
  /** Why it is not live or has no market rate, as a sentence; else null. */
  state_reason: nullableString,
  version: Version,
  updated_at: Time,
});
export type Pair = Static<typeof Pair>;

const bySlug = Strict({ slug: Slug });

export const listPairs = endpoint({
  ...adminReads('money'),
  path: '/api/admin/pairs',
  summary: 'All pairs with their price and limits.',
  reply: Many(Pair),
});

export const getPair = endpoint({
  ...adminReads('money'),
  path: '/api/admin/pairs/{slug}',
  summary: 'One pair.',
  params: bySlug,
  reply: One(Pair),
});

/** `mid_rate` needs the mode `manual`, which is the default. */
const NewPair = Strict({ send: Slug, receive: Slug, ...manualRate, ...editablePair });

/** The confirmed customer's rate: `to` of the refusal. */
const confirmation = { confirm_rate: Type.Optional(Rate) };

export const createPair = endpoint({
  ...adminWrites('money'),
  path: '/api/admin/pairs',
  summary: 'Adds a direction between two currencies.',
  status: 201,
  idempotent: 'where_sent',
  body: Strict({ ...NewPair.properties, ...confirmation }),
  reply: One(Pair),
  refusals: ['pair_exists', 'rate_unconfirmed', 'confirmation_required'],
});

export const updatePair = endpoint({
  ...adminWrites('money'),
  method: 'PATCH',
  path: '/api/admin/pairs/{slug}',
  summary: 'Changes price and limits; prices already quoted are honoured.',
  params: bySlug,
  body: Strict({
    version: Version,
    ...Type.Partial(Strict(editablePair)).properties,
    ...confirmation,
  }),
  reply: One(Pair),
  refusals: ['version_conflict', 'rate_unconfirmed', 'confirmation_required'],
});

export const setPairRate = endpoint({
  ...adminWrites('money'),
  method: 'PUT',
  path: '/api/admin/pairs/{slug}/rate',
  summary:
    'Sets the mid rate by hand, which makes the pair manual; the history keeps the one before.',
  params: bySlug,
  body: Strict({
    version: Version,
    mid_rate: Rate,
    mid_until: manualRate.mid_until,
    ...confirmation,
  }),
  reply: One(Pair),
  refusals: ['version_conflict', 'rate_unconfirmed', 'confirmation_required'],
});

/** The desk's earnings on one exchange at the mid rate: fees, margin and roundings. */
const DeskMargin = Type.Object({
  /** Of the amount sent, rounded down to four decimals. */
  percent: SignedDecimal,
  /** In the send currency. */
  send_fee: Amount,
  /** The others in the receive currency. */
  receive_fee: Amount,
  /** From the margin and the roundings of rate and payout. */
  spread: SignedDecimal,
  /** The amount sent at the mid rate, rounded down, less the payout. */
  total: SignedDecimal,
});

/** A pair and its reverse, which together pay out more than was sent. */
export const RoundTrip = Type.Object({
  /** Two, in the order of their slugs. */
  pairs: Type.Array(Type.Object({ slug: Slug, send: PublicCurrency, receive: PublicCurrency })),
  /** The customer's gain at the best prices, rounded down to four decimals. */
  gain_percent: SignedDecimal,
});
export type RoundTrip = Static<typeof RoundTrip>;

export const listRoundTrips = endpoint({
  ...adminReads('money'),
  path: '/api/admin/pairs/round-trips',
  summary: 'Pairs that lose against their reverse.',
  reply: Many(RoundTrip),
});

/** The market's own rate between a pair's two units. */
const MarketCross = Type.Object({ rate: Rate, source: Type.String(), as_of: nullableTime });

export const PairPreview = Type.Object({
  ...midRate,
  /** The customer's rates: below the first tier, and of each tier. Null without a mid rate. */
  rate: nullableRate,
  tiers: Type.Array(Type.Object({ from: Amount, rate: Rate })),
  ...pairStatus,
  state_reason: nullableString,
  /** The current lock of a quote. */
  lock_minutes: Type.Integer(),
  /**
   * The limits of one exchange by pair and currencies, and one customer's in 24 hours and 30 days; null
   * where no amount is possible.
   */
  limits: Type.Union([
    Type.Object({ min: Amount, max: Amount, day: nullableAmount, month: nullableAmount }),
    Type.Null(),
  ]),
  /** Null where the amount has no price. */
  breakdown: Type.Union([Breakdown, Type.Null()]),
  margin: Type.Union([DeskMargin, Type.Null()]),
  /** Null without a fresh market rate. */
  market: Type.Union([MarketCross, Type.Null()]),
  /** The desk's margin at the market's rate, in percent of the amount sent, rounded down to four decimals. */
  market_percent: Type.Union([SignedDecimal, Type.Null()]),
  /** The confirmation that saving needs; null: none. */
  rate_change: Type.Union([RateChange, Type.Null()]),
  /** The sentence that a customer would get instead of a quote; else null. */
  refusal: nullableString,
});
export type PairPreview = Static<typeof PairPreview>;

export const previewPair = endpoint({
  ...adminWrites('money'),
  path: '/api/admin/pairs/preview',
  throttle: 'read',
  summary: 'Prices an amount by a draft: the quote and the margin.',
  body: Strict({
    ...NewPair.properties,
    side: Type.Enum(['send', 'receive'] as const),
    amount: Amount,
  }),
  reply: One(PairPreview),
});
