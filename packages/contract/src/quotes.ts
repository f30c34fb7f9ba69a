/** Quotes: the price of one amount, exact on both sides and held until it expires. */
import { Type, type Static } from 'typebox';
import { PublicCurrency } from './currencies.ts';
import { endpoint, publicWrites } from './endpoint.ts';
import { Amount, One, Rate, SignedDecimal, Slug, Strict, Time } from './wire.ts';

const nullableString = Type.Union([Type.String(), Type.Null()]);
const nullableTime = Type.Union([Time, Type.Null()]);
const nullableRate = Type.Union([Rate, Type.Null()]);

/** The lines of the price, in the order of the calculation. */
export const Breakdown = Type.Object({
  send_amount: Amount,
  send_fee: Amount,
  /** `send_amount − send_fee`. */
  exchanged_amount: Amount,
  rate: Rate,
  /** `exchanged_amount × rate`, rounded down to the receive currency. */
  gross_amount: Amount,
  receive_fee: Amount,
  /** Cut off by the payout step; zero where every amount can be paid. */
  rounding: Amount,
  /** The payout: `gross_amount − receive_fee − rounding`. */
  receive_amount: Amount,
  mid_rate: nullableRate,
  mid_source: nullableString,
  mid_as_of: nullableTime,
  /** Of the amount's tier: `rate` is the mid rate less both margins, rounded down. */
  margin_percent: SignedDecimal,
  /** In the receive currency, for one of the send currency. */
  margin_absolute: SignedDecimal,
});
export type Breakdown = Static<typeof Breakdown>;

export const Quote = Type.Object({
  pair: Slug,
  send: PublicCurrency,
  receive: PublicCurrency,
  ...Breakdown.properties,
  token: Type.String(),
  expires_at: Time,
  /** For a countdown independent of the browser's clock. */
  server_time: Time,
});
export type Quote = Static<typeof Quote>;

export const createQuote = endpoint({
  ...publicWrites,
  path: '/api/public/quotes',
  throttle: 'quote',
  summary: 'Prices one amount, exact on both sides, and holds the price until it expires.',
  body: Strict({ pair: Slug, side: Type.Enum(['send', 'receive'] as const), amount: Amount }),
  reply: One(Quote),
  refusals: ['pair_unavailable', 'rates_stale', 'reserve_exceeded'],
});
