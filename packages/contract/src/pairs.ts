/** Pairs: directions between two currencies, each with its price and limits. */
import { Type, type Static } from 'typebox';
import { Field, PublicCurrency } from './currencies.ts';
import { endpoint } from './endpoint.ts';
import {
  Amount,
  Id,
  Many,
  One,
  Percent,
  Rate,
  SignedDecimal,
  Slug,
  Strict,
  Time,
  Version,
} from './wire.ts';

/** A fixed part in the side's own currency and a percentage of its amount. */
export const Fee = Strict({ fixed: Amount, percent: Percent });

const nullableAmount = Type.Union([Amount, Type.Null()]);

/** The fee as it is priced: fixed part and percentage together, at least `min`, at most `max`. */
export const BoundedFee = Strict({ ...Fee.properties, min: nullableAmount, max: nullableAmount });

const nullableRate = Type.Union([Rate, Type.Null()]);
const nullableTime = Type.Union([Time, Type.Null()]);

/** How the customer shows that they paid. */
export const evidences = ['proof', 'reference', 'either'] as const;

/** Where the mid rate comes from: the market, an admin, or a formula of the market's rates. */
export const rateModes = ['automatic', 'manual', 'formula'] as const;

/** `live`: priced. `paused`: switched off or without a rate. */
export const rateStates = ['live', 'paused'] as const;

/** What the browser needs to price a pair by itself, to the last digit. */
export const ConverterPair = Type.Object({
  slug: Slug,
  /** Slugs of the two currencies. */
  send: Slug,
  receive: Slug,
  /** The customer's, below the first tier. */
  rate: Rate,
  /** Ascending: the customer's rate for the whole amount from `from` in the send currency on. */
  tiers: Type.Array(Type.Object({ from: Amount, rate: Rate })),
  mid_rate: nullableRate,
  mid_source: Type.Union([Type.String(), Type.Null()]),
  mid_as_of: nullableTime,
  fees: Type.Object({ send: BoundedFee, receive: BoundedFee }),
  /** The payout is a multiple of this, in the receive currency. */
  payout_step: Amount,
  min: Amount,
  max: Amount,
  lock_minutes: Type.Integer(),
  pay_minutes: Type.Integer(),
  payout_time: Type.String(),
});
export type ConverterPair = Static<typeof ConverterPair>;

export const converter = endpoint({
  method: 'GET',
  path: '/api/public/currencies-converter',
  scope: 'public',
  throttle: 'read',
  summary: 'Currencies and pairs with everything a converter needs.',
  status: 200,
  reply: Type.Object({
    data: Type.Object({
      currencies: Type.Array(PublicCurrency),
      pairs: Type.Array(ConverterPair),
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
  state: Type.Enum(rateStates),
});
export type ShowcaseRate = Static<typeof ShowcaseRate>;

export const ratesShowcase = endpoint({
  method: 'GET',
  path: '/api/public/rates-showcase',
  scope: 'public',
  throttle: 'read',
  summary: 'Live rates for the home page.',
  status: 200,
  reply: Many(ShowcaseRate),
});

/** What the desk asks for before an exchange in this pair can be created. */
export const pairRequirements = endpoint({
  method: 'GET',
  path: '/api/pairs/{slug}/requirements',
  scope: 'member',
  throttle: 'read',
  summary: 'The fields and the evidence that this pair asks for.',
  status: 200,
  params: Strict({ slug: Slug }),
  reply: One(
    Type.Object({
      sender_fields: Type.Array(Field),
      payout_fields: Type.Array(Field),
      evidence: Type.Enum(evidences),
      pay_minutes: Type.Integer(),
      payout_time: Type.String(),
    }),
  ),
  refusals: ['pair_unavailable'],
});

export const Pair = Type.Object({
  id: Id,
  slug: Slug,
  send: PublicCurrency,
  receive: PublicCurrency,
  rate_mode: Type.Enum(rateModes),
  mid_rate: nullableRate,
  mid_source: Type.Union([Type.String(), Type.Null()]),
  mid_as_of: nullableTime,
  margin_percent: SignedDecimal,
  rate_digits: Type.Integer(),
  /** The customer's rate as it stands; null without a mid rate. */
  rate: nullableRate,
  send_fee: Fee,
  receive_fee: Fee,
  min_send: Amount,
  max_send: Amount,
  day_max_send: nullableAmount,
  month_max_send: nullableAmount,
  lock_minutes: Type.Integer(),
  pay_minutes: Type.Integer(),
  evidence: Type.Enum(evidences),
  complete_on_approval: Type.Boolean(),
  active: Type.Boolean(),
  position: Type.Integer(),
  version: Version,
  updated_at: Time,
});
export type Pair = Static<typeof Pair>;

const editable = {
  margin_percent: SignedDecimal,
  rate_digits: Type.Integer({ minimum: 0, maximum: 18 }),
  send_fee: Fee,
  receive_fee: Fee,
  min_send: Amount,
  max_send: Amount,
  day_max_send: nullableAmount,
  month_max_send: nullableAmount,
  lock_minutes: Type.Integer({ minimum: 1, maximum: 240 }),
  pay_minutes: Type.Integer({ minimum: 5, maximum: 10_080 }),
  evidence: Type.Enum(evidences),
  complete_on_approval: Type.Boolean(),
  active: Type.Boolean(),
  position: Type.Integer({ minimum: 0, maximum: 100_000 }),
};

const bySlug = Strict({ slug: Slug });

export const listPairs = endpoint({
  method: 'GET',
  path: '/api/admin/pairs',
  scope: 'admin',
  permission: 'money',
  throttle: 'read',
  summary: 'All pairs with their price and limits.',
  status: 200,
  reply: Many(Pair),
});

export const getPair = endpoint({
  method: 'GET',
  path: '/api/admin/pairs/{slug}',
  scope: 'admin',
  permission: 'money',
  throttle: 'read',
  summary: 'One pair.',
  status: 200,
  params: bySlug,
  reply: One(Pair),
});

export const createPair = endpoint({
  method: 'POST',
  path: '/api/admin/pairs',
  scope: 'admin',
  permission: 'money',
  throttle: 'write',
  summary: 'Adds a direction between two currencies.',
  status: 201,
  body: Strict({ send: Slug, receive: Slug, mid_rate: Rate, ...editable }),
  reply: One(Pair),
  refusals: ['pair_exists'],
});

export const updatePair = endpoint({
  method: 'PATCH',
  path: '/api/admin/pairs/{slug}',
  scope: 'admin',
  permission: 'money',
  throttle: 'write',
  summary: 'Changes price and limits; prices already quoted are honoured.',
  status: 200,
  params: bySlug,
  body: Strict({ version: Version, ...Type.Partial(Strict(editable)).properties }),
  reply: One(Pair),
  refusals: ['version_conflict'],
});

export const setPairRate = endpoint({
  method: 'PUT',
  path: '/api/admin/pairs/{slug}/rate',
  scope: 'admin',
  permission: 'money',
  throttle: 'write',
  summary: 'Sets the manual mid rate and keeps the one before in the history.',
  status: 200,
  params: bySlug,
  body: Strict({ version: Version, mid_rate: Rate }),
  reply: One(Pair),
  refusals: ['version_conflict'],
});
