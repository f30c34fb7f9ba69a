/** Pure: how far two rates are apart, exactly. Rates are fractions here, of units of one for one of another. */
import {
  floorDivide,
  formatShortest,
  parseDecimal,
  tenTo,
  type Decimal,
} from '@cambist/money/decimal';
import { compareFractions, fraction, inverse, minus, type Fraction } from '@cambist/money/fraction';
import type { GivenRate } from './provider.ts';

/** Two providers, or two ways round, may differ by this much: spreads, and minutes between them. */
const TOLERANCE_PERCENT = '2';
const DECIMALS = 18;
/** The column's `numeric(30, 6)`. */
const PERCENT_DECIMALS = 6;
const MOST_PERCENT = tenTo(29);

/** A rate between two units, as somebody gave it. */
export type Edge = Pick<GivenRate, 'unit' | 'base' | 'rate' | 'inverted'>;

/** Units of `unit` for one `base`, whichever way it was given. */
export function fractionFor({ rate, inverted }: Pick<Edge, 'rate' | 'inverted'>): Fraction {
  return turned(fraction(parseDecimal(rate)), inverted);
}

/** Whether nothing of its inverse is left at 18 decimals. */
export function inverseIsNothing({ units, scale }: Decimal): boolean {
  return tenTo(DECIMALS + scale) / units === 0n;
}

/**
 * Whether `now` is more than `percent` away from `before`, up or down, in the direction in which it
 * was given: that is the one that people see, and 10 % up is not 10 % down the other way round.
 */
export function moves(
  before: Fraction,
  now: Fraction,
  percent: string,
  inverted: boolean,
): boolean {
  const { units, scale } = parseDecimal(percent);
  const [from, to] = [turned(before, inverted), turned(now, inverted)];
  const had = from.numerator * to.denominator;
  const apart = to.numerator * from.denominator - had;
  return (apart < 0n ? -apart : apart) * 100n * tenTo(scale) > units * had;
}

/** Whether `known`, rounded to as many decimals as the figure has, is that figure, in its direction. */
export function roundsTo(
  known: Fraction,
  { rate, inverted }: Pick<Edge, 'rate' | 'inverted'>,
): boolean {
  const { units, scale } = parseDecimal(rate);
  const { numerator, denominator } = turned(known, inverted);
  const apart = numerator * tenTo(scale) - units * denominator;
  return (apart < 0n ? -apart : apart) * 2n <= denominator;
}

export function differ(one: Fraction, other: Fraction): boolean {
  return moves(one, other, TOLERANCE_PERCENT, false);
}

/** Whether `value` is nearer to the one than to the other. */
export function isNearer(value: Fraction, one: Fraction, other: Fraction): boolean {
  const from = (each: Fraction) => {
    const { numerator, denominator } = minus(value, each);
    return { numerator: numerator < 0n ? -numerator : numerator, denominator };
  };
  return compareFractions(from(one), from(other)) < 0;
}

/** Whether a word on one is a word on the other: of one unit, or of the same two the other way round. */
export function isSameQuestion(
  one: Pick<Edge, 'unit' | 'base'>,
  other: Pick<Edge, 'unit' | 'base'>,
): boolean {
  return one.unit === other.unit || (one.unit === other.base && one.base === other.unit);
}

/** Whether one of these rates is of the same two units, in either direction, and no other than `claim`. */
export function says(rates: readonly Edge[], claim: Edge): boolean {
  const { unit, base } = claim;
  const value = fractionFor(claim);
  return rates.some((each) => {
    if (each.unit === unit && each.base === base) return !differ(value, fractionFor(each));
    if (each.unit === base && each.base === unit) return !differ(value, inverse(fractionFor(each)));
    return false;
  });
}

/**
 * As text with at most 18 decimals, rounded down, in the direction in which it was given; null where
 * nothing is left, or more than the contract's `Rate` holds.
 */
export function writtenRate(fraction: Fraction, inverted: boolean): string | null {
  const { numerator, denominator } = turned(fraction, inverted);
  const units = floorDivide(numerator * tenTo(DECIMALS), denominator);
  const text = formatShortest({ units, scale: DECIMALS });
  return text === '0' || !/^\d{1,30}(\.|$)/.test(text) ? null : text;
}

/** Percent from `before` to `now` in the given direction, rounded toward zero. */
export function changePercent(before: Fraction, now: Fraction, inverted: boolean): string {
  const [from, to] = [turned(before, inverted), turned(now, inverted)];
  const had = from.numerator * to.denominator;
  const apart = to.numerator * from.denominator - had;
  const units = (apart * 100n * tenTo(PERCENT_DECIMALS)) / had;
  const kept = units > MOST_PERCENT ? MOST_PERCENT : units;
  return formatShortest({ units: kept, scale: PERCENT_DECIMALS });
}

function turned(rate: Fraction, inverted: boolean): Fraction {
  return inverted ? inverse(rate) : rate;
}
