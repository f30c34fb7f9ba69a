/**
 * Pure: exact fractions of `bigint`, for rates that are made of other rates.
 * They are not reduced.
 */
import { MoneyError, tenTo, type Decimal } from './decimal.ts';

/** The denominator is above zero. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export function fraction({ units, scale }: Decimal): Fraction {
  return { numerator: units, denominator: tenTo(scale) };
}

export function whole(units: bigint): Fraction {
  return { numerator: units, denominator: 1n };
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  };
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return plus(a, { numerator: -b.numerator, denominator: b.denominator });
}

export function times(a: Fraction, b: Fraction): Fraction {
  return {
    numerator: a.numerator * b.numerator,
    denominator: a.denominator * b.denominator,
  };
}

/** @throws MoneyError `division_by_zero` */
export function over(a: Fraction, b: Fraction): Fraction {
  return times(a, inverse(b));
}

/** @throws MoneyError `division_by_zero` */
export function inverse({ numerator, denominator }: Fraction): Fraction {
  if (numerator === 0n) throw new MoneyError('division_by_zero', 'Division by zero.');
  return numerator > 0n
    ? { numerator: denominator, denominator: numerator }
    : { numerator: -denominator, denominator: -numerator };
}

/** By value: 1/2 equals 2/4. */
export function compareFractions(a: Fraction, b: Fraction): -1 | 0 | 1 {
  const { numerator } = minus(a, b);
  return numerator < 0n ? -1 : numerator > 0n ? 1 : 0;
}
