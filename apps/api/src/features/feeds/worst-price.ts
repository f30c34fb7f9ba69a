/**
 * Pure: the price that holds for every amount a pair takes, since a monitor shows
 * one for all. Where rates or costs vary with the amount it is the worst of them:
 * no customer gets less than was announced, but for fractions of the smallest unit.
 */
import { tenTo, type Decimal } from '@cambist/money/decimal';
import type { PriceTerms, Quote } from '@cambist/money/quote';
import { fraction, minus, over, times, type Fraction } from './fraction.ts';

export interface WorstPrice {
  /** With all costs inside: receive units for one send unit, at the least amount. */
  readonly all: Fraction;
  /** With the percentages inside; the two fees come on top of it. */
  readonly bare: Fraction;
  /** Taken off what is sent before it is exchanged, in minor units. */
  readonly sendFee: bigint;
  /** Taken off what that brings, in minor units. */
  readonly receiveFee: bigint;
}

type Fee = PriceTerms['sendFee'];

/** `least`: the quote of the least amount that the pair takes. `most` in send minor units. */
export function worstPrice(terms: PriceTerms, least: Quote, most: bigint): WorstPrice {
  const { sendDecimals, receiveDecimals, payoutStep } = terms;
  const onSend = steady(terms.sendFee, least.send);
  const onReceive = steady(terms.receiveFee, least.gross);
  const bare = times(times(fraction(worstRate(terms, least, most)), onSend.kept), onReceive.kept);
  // A payout in steps loses up to one of them, less the smallest unit.
  const receiveFee = onReceive.fixed + payoutStep - 1n;
  // What is kept back of a percentage is not charged again on the fixed part.
  const sendFee = over({ top: onSend.fixed, bottom: 1n }, onSend.kept);
  const sent = { top: least.send, bottom: tenTo(sendDecimals) };
  const exchanged = minus(sent, over(sendFee, { top: tenTo(sendDecimals), bottom: 1n }));
  const paidOut = minus(times(exchanged, bare), {
    top: receiveFee,
    bottom: tenTo(receiveDecimals),
  });
  // Fixed costs weigh most on the least amount.
  return {
    all: over(paidOut, sent),
    bare,
    sendFee: (sendFee.top + sendFee.bottom - 1n) / sendFee.bottom,
    receiveFee,
  };
}

function worstRate({ tiers }: PriceTerms, least: Quote, most: bigint): Decimal {
  return tiers
    .filter(({ from }) => from > least.send && from <= most)
    .reduce((worst, { rate }) => (below(rate, worst) ? rate : worst), least.rate);
}

function below(a: Decimal, b: Decimal): boolean {
  return minus(fraction(a), fraction(b)).top < 0n;
}

/**
 * A fee as one fixed part and one percentage that together are never below it,
 * for any amount from `base` (minor units) on: monitors know no bounds of fees.
 */
function steady(
  { fixed, percent, min, max }: Fee,
  base: bigint,
): { readonly fixed: bigint; readonly kept: Fraction } {
  const whole = 100n * tenTo(percent.scale);
  const share = (base * percent.units) / whole;
  if (max !== null && fixed + share >= max) return { fixed: max, kept: { top: 1n, bottom: 1n } };
  const floor = min === null ? fixed : min - share;
  return {
    fixed: floor > fixed ? floor : fixed,
    kept: { top: whole - percent.units, bottom: whole },
  };
}
