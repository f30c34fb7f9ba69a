/** Pure: exact fractions of bigints, and how a rate of one is written for monitors. */
import { formatDecimal, tenTo, trimZeros, type Decimal } from '@cambist/money/decimal';

/** `top / bottom`, the latter above zero. Not reduced: nothing here is computed twice. */
export interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

/** So many decimals has a rate at most. */
const RATE_DECIMALS = 18;
/** Two more: so the reciprocal of a rate below one gives all its 18 decimals back. */
const RECIPROCAL_DECIMALS = 20;

export function fraction({ units, scale }: Decimal): Fraction {
  return { top: units, bottom: tenTo(scale) };
}

export function whole(units: bigint): Fraction {
  return { top: units, bottom: 1n };
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom };
}

export function times(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.top, bottom: a.bottom * b.bottom };
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.bottom - b.top * a.bottom, bottom: a.bottom * b.bottom };
}

/** `b` is above zero. */
export function over(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.bottom, bottom: a.bottom * b.top };
}

/**
 * For one `in` the other gives `out`, one of them being 1, as monitors write it:
 * a rate below one keeps its digits as its reciprocal. What has no end is rounded
 * against the customer, so that nobody gets less than was announced. Null where
 * there is no rate above zero.
 */
export function orient({ top, bottom }: Fraction): { in: string; out: string } | null {
  if (top <= 0n) return null;
  if (top >= bottom) {
    const units = (top * tenTo(RATE_DECIMALS)) / bottom;
    return { in: '1', out: shortest({ units, scale: RATE_DECIMALS }) };
  }
  const units = (bottom * tenTo(RECIPROCAL_DECIMALS) + top - 1n) / top;
  return { in: shortest({ units, scale: RECIPROCAL_DECIMALS }), out: '1' };
}

/** Without zeros at its end; a full stop, no exponent, no grouping. */
export function shortest(decimal: Decimal): string {
  return formatDecimal(trimZeros(decimal));
}
