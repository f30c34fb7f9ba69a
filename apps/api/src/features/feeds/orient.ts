/** Pure: how a rate is written for monitors. */
import { formatShortest, tenTo } from '@cambist/money/decimal';
import type { Fraction } from '@cambist/money/fraction';

/** So many decimals has a rate at most. */
const RATE_DECIMALS = 18;
/** Two more: so the reciprocal of a rate below one gives all its 18 decimals back. */
const RECIPROCAL_DECIMALS = 20;

/**
 * For one `in` the other gives `out`, one of them being 1, as monitors write it:
 * a rate below one keeps its digits as its reciprocal. What has no end is rounded
 * against the customer, so that nobody gets less than was announced. Null where
 * there is no rate above zero.
 */
export function orient({ numerator, denominator }: Fraction): { in: string; out: string } | null {
  if (numerator <= 0n) return null;
  if (numerator >= denominator) {
    const units = (numerator * tenTo(RATE_DECIMALS)) / denominator;
    return { in: '1', out: formatShortest({ units, scale: RATE_DECIMALS }) };
  }
  const units = (denominator * tenTo(RECIPROCAL_DECIMALS) + numerator - 1n) / numerator;
  return { in: formatShortest({ units, scale: RECIPROCAL_DECIMALS }), out: '1' };
}
