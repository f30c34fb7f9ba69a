/**
 * Pure: the price that holds for every amount a pair takes, since a monitor shows
 * one for all. Where rates or costs vary with the amount it is the worst of them,
 * every rounding included: no customer gets less than was announced. That weighs
 * most where a currency has no decimals, and a rounding is a whole unit.
 */
import { compare, tenTo, type Decimal } from '@cambist/money/decimal';
import { fraction, minus, over, plus, times, whole, type Fraction } from '@cambist/money/fraction';
import type { PriceTerms, Quote } from '@cambist/money/quote';

export interface WorstPrice {
  /** With all costs and roundings inside: receive units for one send unit, at the least amount. */
  readonly all: Fraction;
  /** With percentages and roundings inside; the two fees come on top of it. */
  readonly bare: Fraction;
  /** Before all costs: the least of the customer's rates. */
  readonly rate: Fraction;
  /** What is charged on either side of it, where monitors are told so. */
  readonly charges: { readonly send: Charge; readonly receive: Charge };
  /** Taken off what is sent before it is exchanged, in minor units. */
  readonly sendFee: bigint;
  /** Taken off what that brings, in minor units. */
  readonly receiveFee: bigint;
}

export interface Charge {
  /** In minor units. */
  readonly fixed: bigint;
  /** Null where the fee is the same for every amount. */
  readonly percent: Decimal | null;
}

type Fee = PriceTerms['sendFee'];

/** `least`: the quote of the least amount that the pair takes. `most` in send minor units. */
export function worstPrice(terms: PriceTerms, least: Quote, most: bigint): WorstPrice {
  const { sendDecimals, receiveDecimals, payoutStep } = terms;
  // Receive minor units for one send minor unit.
  const shown = fraction(worstRate(terms, least, most));
  const rate = times(shown, {
    numerator: tenTo(receiveDecimals),
    denominator: tenTo(sendDecimals),
  });
  const onSend = steady(terms.sendFee, least.send);
  const onReceive = steady(terms.receiveFee, (least.exchanged * rate.numerator) / rate.denominator);
  const kept = times(times(rate, onSend.kept), onReceive.kept);
  // What is kept back of a percentage is not charged again on the fixed part.
  const sendFee = roundUp(over(whole(onSend.fixed), onSend.kept));
  // A payout in steps loses up to one of them, less the smallest unit.
  const receiveFee = onReceive.fixed + payoutStep - 1n;
  // The send fee is rounded up, what is exchanged brings that much less; the gross is rounded down,
  // the receive fee up.
  const lost = plus(
    times(plus(times(onSend.rounding, rate), roundingOf(rate)), onReceive.kept),
    onReceive.rounding,
  );
  const exchanged = minus(whole(least.send), over(whole(onSend.fixed), onSend.kept));
  // Fixed costs and roundings weigh most on the least amount.
  const paidOut = minus(minus(times(exchanged, kept), lost), whole(receiveFee));
  const charged = whole(least.send - sendFee);
  const major = { numerator: tenTo(sendDecimals), denominator: tenTo(receiveDecimals) };
  return {
    all: times(over(paidOut, whole(least.send)), major),
    bare: charged.numerator > 0n ? times(minus(kept, over(lost, charged)), major) : charged,
    rate: shown,
    charges: {
      send: { fixed: onSend.fixed, percent: onSend.percent },
      // The steps of a payout are a cost that no monitor has a word for.
      receive: { fixed: receiveFee, percent: onReceive.percent },
    },
    sendFee,
    receiveFee,
  };
}

function worstRate({ tiers }: PriceTerms, least: Quote, most: bigint): Decimal {
  return tiers
    .filter(({ from }) => from > least.send && from <= most)
    .reduce((worst, { rate }) => (compare(rate, worst) < 0 ? rate : worst), least.rate);
}

interface Steady extends Charge {
  /** What the percentage leaves. */
  readonly kept: Fraction;
  /** The most that rounding it up takes: below one. */
  readonly rounding: Fraction;
}

/**
 * A fee as one fixed part and one percentage that together are never below it,
 * for any amount from `base` (minor units) on: monitors know no bounds of fees.
 */
function steady({ fixed, percent, min, max }: Fee, base: bigint): Steady {
  const hundred = 100n * tenTo(percent.scale);
  const share = (base * percent.units) / hundred;
  if (max !== null && fixed + share >= max)
    return { fixed: max, percent: null, kept: whole(1n), rounding: whole(0n) };
  const floor = min === null ? fixed : min - share;
  return {
    fixed: floor > fixed ? floor : fixed,
    percent: percent.units === 0n ? null : percent,
    kept: { numerator: hundred - percent.units, denominator: hundred },
    rounding: roundingOf({ numerator: percent.units, denominator: hundred }),
  };
}

/** The most that rounding a whole number's product with it takes away, or adds: n/d leaves (d − 1)/d. */
function roundingOf({ numerator, denominator }: Fraction): Fraction {
  const divided = denominator / greatestDivisor(numerator, denominator);
  return { numerator: divided - 1n, denominator: divided };
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b);
}

function roundUp({ numerator, denominator }: Fraction): bigint {
  return (numerator + denominator - 1n) / denominator;
}
