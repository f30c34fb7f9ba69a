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
  zero,
  type Decimal,
  type MoneyErrorCode,
} from '../src/decimal.ts';
import { quoteReceive, quoteSend, type Fee, type PriceTerms, type Quote } from '../src/quote.ts';

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
const fees: fc.Arbitrary<Fee> = record({
  fixed: fc.oneof(fc.constant(0n), positive(20)),
  percent: percents,
});
export const rates: fc.Arbitrary<Decimal> = record({
  units: positive(22),
  scale: fc.integer({ min: 0, max: 18 }),
});
export const places = fc.integer({ min: 0, max: 18 });
export const prices: fc.Arbitrary<PriceTerms> = record({
  sendDecimals: places,
  receiveDecimals: places,
  rate: rates,
  mid: fc.option(rates),
  sendFee: fees,
  receiveFee: fees,
});

/** Terms with an amount the desk does quote, from the least send on. */
export const quoted = fc
  .tuple(prices, positive(42), fc.nat(3))
  .map(([terms, more, step]) => {
    const least = attempt(() => quoteReceive(terms, 1n));
    if (typeof least === 'string') return null;
    const sends = [least.send, least.send + BigInt(step), least.send + more, more];
    const quotes = sends.map((send) => attempt(() => quoteSend(terms, send)));
    const quote = quotes.findLast((one) => typeof one !== 'string');
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
  return major(fee.fixed, decimals).plus(percentage).toDecimalPlaces(decimals, ROUND_CEIL);
}

/** ⌊(send − send fee) × rate − receive fee⌋ in major units, as the formula stands; or the refusal. */
export function payoutByOracle(terms: PriceTerms, send: bigint): Oracle | string {
  const { sendDecimals, receiveDecimals } = terms;
  const limit = new Exact(10).pow(24);
  const sendMajor = major(send, sendDecimals);
  if (sendMajor.greaterThan(limit)) return 'amount_too_large';
  const exchanged = sendMajor.minus(feeByOracle(sendMajor, terms.sendFee, sendDecimals));
  if (exchanged.lessThanOrEqualTo(0)) return 'amount_too_small';
  const product = exchanged.times(exact(terms.rate));
  const gross = product.toDecimalPlaces(receiveDecimals, ROUND_FLOOR);
  const atMid = terms.mid ? exchanged.times(exact(terms.mid)) : new Exact(0);
  if (gross.greaterThan(limit)) return 'amount_too_large';
  if (atMid.toDecimalPlaces(receiveDecimals, ROUND_FLOOR).greaterThan(limit))
    return 'amount_too_large';
  const fee = feeByOracle(gross, terms.receiveFee, receiveDecimals);
  const payout = product.minus(fee).toDecimalPlaces(receiveDecimals, ROUND_FLOOR);
  return payout.lessThanOrEqualTo(0) ? 'amount_too_small' : payout;
}

/** Asserts that `act` is refused with this code. */
export function refuses(code: MoneyErrorCode, act: () => unknown): void {
  assert.throws(act, (error) => error instanceof MoneyError && error.code === code);
}
