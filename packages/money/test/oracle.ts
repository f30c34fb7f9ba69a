/**
 * The formula written once more in decimal.js, in major units and with 200
 * digits, and random pairs to try it on: 0 to 18 decimals, amounts up to 10^24.
 */
import assert from 'node:assert/strict';
import { Decimal as Oracle } from 'decimal.js';
import fc from 'fast-check';
import { formatAmount } from '../src/amount.ts';
import {
  formatDecimal,
  MoneyError,
  one,
  zero,
  type Decimal,
  type MoneyErrorCode,
} from '../src/decimal.ts';
import type { Fee } from '../src/fee.ts';
import { quoteReceive, quoteSend, type PriceTerms, type Quote, type Tier } from '../src/quote.ts';

export const Exact = Oracle.clone({ precision: 200, toExpNeg: -9e15, toExpPos: 9e15 });
export const { ROUND_FLOOR, ROUND_CEIL } = Oracle;

/** Plain objects, since deep equality tells them from objects without a prototype. */
function record<T>(parts: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record<T>(parts, { noNullPrototype: true });
}

/** Of any length up to `digits`, all lengths alike: uniform numbers would nearly all be long. */
export const positive = (digits: number) =>
  fc
    .integer({ min: 1, max: digits })
    .chain((length) => fc.bigInt({ min: 1n, max: 10n ** BigInt(length) }));

const percents: fc.Arbitrary<Decimal> = fc.oneof(
  fc.constant(zero),
  fc.integer({ min: 0, max: 10_000_000 }).map((units) => ({ units: BigInt(units), scale: 6 })),
  fc.integer({ min: 0, max: 9_999 }).map((units) => ({ units: BigInt(units), scale: 2 })),
);
const bounds = (digits: number) =>
  fc
    .tuple(fc.option(fc.bigInt(0n, 10n ** BigInt(digits))), fc.option(positive(digits)))
    .map(([min, more]) => ({ min, max: more === null ? null : (min ?? 0n) + more }));
const noBounds = fc.constant({ min: null, max: null });
const feesUpTo = (digits: number, share: fc.Arbitrary<Decimal>): fc.Arbitrary<Fee> =>
  fc
    .tuple(
      fc.oneof(fc.constant(0n), positive(digits)),
      share,
      fc.oneof(noBounds, bounds(digits), bounds(2)),
    )
    .map(([fixed, percent, limits]) => ({ fixed, percent, ...limits }));
const fees = feesUpTo(20, percents);
export const rates: fc.Arbitrary<Decimal> = record({
  units: positive(22),
  scale: fc.integer({ min: 0, max: 18 }),
});
export const places = fc.integer({ min: 0, max: 18 });
/** Rates of tiers as they come, so that a payout falls at some borders. */
const tiersOf = (from: fc.Arbitrary<bigint>, rate: fc.Arbitrary<Decimal>) =>
  fc
    .tuple(fc.uniqueArray(from, { maxLength: 4 }), fc.array(rate, { minLength: 4, maxLength: 4 }))
    .map(([froms, given]): Tier[] =>
      froms
        .toSorted((a, b) => (a < b ? -1 : 1))
        .map((start, index) => ({ from: start, rate: given[index] ?? one })),
    );
const steps = (digits: number) => fc.oneof(fc.constant(1n), positive(digits));
export const prices: fc.Arbitrary<PriceTerms> = rates.chain((rate) => {
  // Mostly near the first rate, as tiers are; any at all now and then.
  const near = fc
    .bigInt(500n, 1500n)
    .map((share) => ({ units: rate.units * share, scale: rate.scale + 3 }));
  return record({
    sendDecimals: places,
    receiveDecimals: places,
    rate: fc.constant(rate),
    tiers: fc.oneof(fc.constant([]), tiersOf(positive(40), fc.oneof(near, rates))),
    mid: fc.option(rates),
    sendFee: fees,
    receiveFee: fees,
    payoutStep: steps(25),
  });
});

/** Small enough to try every amount there is up to some hundreds. */
const smallRate = fc.bigInt(1n, 400n).map((units) => ({ units, scale: 2 }));
const smallShare = fc.bigInt(0n, 9_900n).map((units) => ({ units, scale: 2 }));
const smallPlaces = fc.integer({ min: 0, max: 1 });
export const smallPrices: fc.Arbitrary<PriceTerms> = record({
  sendDecimals: smallPlaces,
  receiveDecimals: smallPlaces,
  rate: smallRate,
  tiers: tiersOf(fc.bigInt(1n, 300n), smallRate),
  mid: fc.constant(null),
  sendFee: feesUpTo(1, fc.oneof(fc.constant(zero), smallShare)),
  receiveFee: feesUpTo(1, fc.oneof(fc.constant(zero), smallShare)),
  payoutStep: fc.bigInt(1n, 12n),
});

/** Terms with an amount the desk does quote, from the least send on. */
export const quoted = fc
  .tuple(prices, positive(42), fc.nat(3))
  .map(([terms, more, step]) => {
    const least = attempt(() => quoteReceive(terms, 1n));
    if (typeof least === 'string') return null;
    const sends = [least.send, least.send + BigInt(step), least.send + more, more];
    const quotes = sends.map((send) => attempt(() => quoteSend(terms, send)));
    const quote = quotes.findLast((each) => typeof each !== 'string');
    return typeof quote === 'object' ? { terms, quote } : null;
  })
  .filter((found) => found !== null);

export function attempt(act: () => Quote): Quote | string {
  try {
    return act();
  } catch (error) {
    if (error instanceof MoneyError) return error.code;
    throw error;
  }
}

export function exact(d: Decimal): Oracle {
  return new Exact(formatDecimal(d));
}

export function major(minor: bigint, decimals: number): Oracle {
  return new Exact(formatAmount(minor, decimals));
}

export function feeByOracle(base: Oracle, fee: Fee, decimals: number): Oracle {
  const percentage = base.times(exact(fee.percent)).div(100);
  const whole = major(fee.fixed, decimals).plus(percentage).toDecimalPlaces(decimals, ROUND_CEIL);
  const least = Exact.max(whole, major(fee.min ?? 0n, decimals));
  return fee.max === null ? least : Exact.min(least, major(fee.max, decimals));
}

export function rateByOracle(terms: PriceTerms, send: bigint): Decimal {
  return terms.tiers.reduce((rate, tier) => (send >= tier.from ? tier.rate : rate), terms.rate);
}

/**
 * (send − send fee) × rate − receive fee in major units, down to a multiple of
 * the step, as the formula stands; or the refusal.
 */
export function payoutByOracle(terms: PriceTerms, send: bigint): Oracle | string {
  const { sendDecimals, receiveDecimals } = terms;
  const limit = new Exact(10).pow(24);
  const sendMajor = major(send, sendDecimals);
  if (sendMajor.greaterThan(limit)) return 'amount_too_large';
  const exchanged = sendMajor.minus(feeByOracle(sendMajor, terms.sendFee, sendDecimals));
  if (exchanged.lessThanOrEqualTo(0)) return 'amount_too_small';
  const product = exchanged.times(exact(rateByOracle(terms, send)));
  const gross = product.toDecimalPlaces(receiveDecimals, ROUND_FLOOR);
  const atMid = terms.mid ? exchanged.times(exact(terms.mid)) : new Exact(0);
  if (gross.greaterThan(limit)) return 'amount_too_large';
  if (atMid.toDecimalPlaces(receiveDecimals, ROUND_FLOOR).greaterThan(limit))
    return 'amount_too_large';
  const fee = feeByOracle(gross, terms.receiveFee, receiveDecimals);
  const step = major(terms.payoutStep, receiveDecimals);
  const payout = product.minus(fee).div(step).floor().times(step);
  return payout.lessThanOrEqualTo(0) ? 'amount_too_small' : payout;
}

/** Asserts that `act` is refused with this code. */
export function refuses(code: MoneyErrorCode, act: () => unknown): void {
  assert.throws(act, (error) => error instanceof MoneyError && error.code === code);
}
