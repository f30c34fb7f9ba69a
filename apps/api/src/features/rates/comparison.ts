/** Pure: exact comparison of rates as fractions. */
import {
  floorDivide,
  formatShortest,
  parseDecimal,
  tenTo,
  type Decimal,
} from '@cambist/money/decimal';
import { fraction, inverse, type Fraction } from '@cambist/money/fraction';

export interface Written {
  readonly rate: string;
  readonly inverted: boolean;
}

/** Two paths to one rate may differ this much, by spreads and time. */
const TOLERANCE_PERCENT = '2';
const RATE_DECIMALS = 18;
/** The column's `numeric(30, 6)`. */
const PERCENT_DECIMALS = 6;
const LARGEST_PERCENT = tenTo(29);

/** Units of `unit` for one `base`. */
export function fractionFor({ rate, inverted }: Written): Fraction {
  return inDirection(fraction(parseDecimal(rate)), inverted);
}

/** Whether the inverse of a decimal above zero is less than its last decimal place. */
export function hasNoInverse({ units, scale }: Decimal): boolean {
  return tenTo(RATE_DECIMALS + scale) / units === 0n;
}

/**
 * Whether `now` is more than `percent` above or below `before`, in the direction that the provider
 * gives and admins see: 10 % up is not 10 % down in the inverse.
 */
export function movesBy(
  percent: string,
  before: Fraction,
  now: Fraction,
  inverted: boolean,
): boolean {
  const { units, scale } = parseDecimal(percent);
  const { base, difference } = differenceOf(before, now, inverted);
  return (difference < 0n ? -difference : difference) * 100n * tenTo(scale) > units * base;
}

export function disagree(one: Fraction, other: Fraction): boolean {
  return movesBy(TOLERANCE_PERCENT, one, other, false);
}

/** Percent from `before` to `now` in the given direction, with six decimals at most, rounded toward zero. */
export function changePercent(before: Fraction, now: Fraction, inverted: boolean): string {
  const { base, difference } = differenceOf(before, now, inverted);
  const units = (difference * 100n * tenTo(PERCENT_DECIMALS)) / base;
  return formatShortest({
    units: units > LARGEST_PERCENT ? LARGEST_PERCENT : units,
    scale: PERCENT_DECIMALS,
  });
}

/**
 * With at most 18 decimals, rounded down, in the given direction; null where nothing is left, or more
 * than the contract's `Rate` holds.
 */
export function writtenRate(rate: Fraction, inverted: boolean): string | null {
  const { numerator, denominator } = inDirection(rate, inverted);
  const units = floorDivide(numerator * tenTo(RATE_DECIMALS), denominator);
  const text = formatShortest({ units, scale: RATE_DECIMALS });
  return text === '0' || !/^\d{1,30}(\.|$)/.test(text) ? null : text;
}

/** Both over one denominator. */
function differenceOf(before: Fraction, now: Fraction, inverted: boolean) {
  const [from, to] = [inDirection(before, inverted), inDirection(now, inverted)];
  const base = from.numerator * to.denominator;
  return { base, difference: to.numerator * from.denominator - base };
}

function inDirection(rate: Fraction, inverted: boolean): Fraction {
  return inverted ? inverse(rate) : rate;
}
