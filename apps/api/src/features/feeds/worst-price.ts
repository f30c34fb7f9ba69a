/**
 * Pure: the one price that monitors show for all amounts of a pair: the worst of its rates and
 * costs, all roundings included, so that no customer is paid less than published.
 */
import { compare, tenTo, type Decimal } from '@cambist/money/decimal';
import { fraction, minus, over, plus, times, whole, type Fraction } from '@cambist/money/fraction';
import type { PriceTerms, Quote } from '@cambist/money/quote';

interface WorstPrice {
  /** After all costs and roundings at the least amount: receive units for one send unit. */
  readonly all: Fraction;
  /** After percentages and roundings; `sendFee` and `receiveFee` come on top. */
  readonly withoutFixedFees: Fraction;
  /** Deducted before the exchange, in minor units. */
  readonly sendFee: bigint;
  /** Deducted after the exchange, in minor units. */
  readonly receiveFee: bigint;
}

type Fee = PriceTerms['sendFee'];

/** `least`: the quote of the smallest amount. `most`: the largest amount, in send minor units. */
export function worstPrice(terms: PriceTerms, least: Quote, most: bigint): WorstPrice {
  const { sendDecimals, receiveDecimals, payoutStep } = terms;
  // Receive minor units for one send minor unit.
  const rate = times(fraction(worstRate(terms, least, most)), {
    numerator: tenTo(receiveDecimals),
    denominator: tenTo(sendDecimals),
  });
  const onSend = flatFee(terms.sendFee, least.send);
  const onReceive = flatFee(
    terms.receiveFee,
    (least.exchanged * rate.numerator) / rate.denominator,
  );
  const remaining = times(times(rate, onSend.remaining), onReceive.remaining);
  // The percentage is not charged on the fixed part.
  const sendFee = roundUp(over(whole(onSend.fixed), onSend.remaining));
  // The payout step cuts off up to one step less the smallest unit.
  const receiveFee = onReceive.fixed + payoutStep - 1n;
  // Both fees are rounded up, the gross amount down.
  const lost = plus(
    times(plus(times(onSend.rounding, rate), roundingOf(rate)), onReceive.remaining),
    onReceive.rounding,
  );
  const exchanged = minus(whole(least.send), over(whole(onSend.fixed), onSend.remaining));
  // Fixed costs and roundings weigh most on the smallest amount.
  const paidOut = minus(minus(times(exchanged, remaining), lost), whole(receiveFee));
  const charged = whole(least.send - sendFee);
  const major = { numerator: tenTo(sendDecimals), denominator: tenTo(receiveDecimals) };
  return {
    all: times(over(paidOut, whole(least.send)), major),
    withoutFixedFees:
      charged.numerator > 0n ? times(minus(remaining, over(lost, charged)), major) : charged,
    sendFee,
    receiveFee,
  };
}

function worstRate({ tiers }: PriceTerms, least: Quote, most: bigint): Decimal {
  return tiers
    .filter(({ from }) => from > least.send && from <= most)
    .reduce((worst, { rate }) => (compare(rate, worst) < 0 ? rate : worst), least.rate);
}

interface FlatFee {
  /** In minor units. */
  readonly fixed: bigint;
  /** The share after the percentage. */
  readonly remaining: Fraction;
  /** The most that rounding the percentage up can add: below one unit. */
  readonly rounding: Fraction;
}

/**
 * The fee without bounds, which the files cannot express: a fixed part and a percentage that are
 * never below the fee for amounts from `base` (minor units) on.
 */
function flatFee({ fixed, percent, min, max }: Fee, base: bigint): FlatFee {
  const hundred = 100n * tenTo(percent.scale);
  const share = (base * percent.units) / hundred;
  if (max !== null && fixed + share >= max)
    return { fixed: max, remaining: whole(1n), rounding: whole(0n) };
  const floor = min === null ? fixed : min - share;
  return {
    fixed: floor > fixed ? floor : fixed,
    remaining: { numerator: hundred - percent.units, denominator: hundred },
    rounding: roundingOf({ numerator: percent.units, denominator: hundred }),
  };
}

/** The largest rounding of an integer's product with n/d: (d − 1)/d in lowest terms. */
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
