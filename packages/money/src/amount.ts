/**
 * Amounts of money: `bigint` minor units in code, decimal strings in major
 * units on the wire. A currency has 0 to 18 decimals and amounts reach 10^24
 * major units (the desk's limits), so the largest has 43 digits and fits the
 * database's `numeric(48,0)`.
 */
import { formatDecimal, MoneyError, parseDecimal, tenTo, type Decimal } from './decimal.ts';

export const maxDecimals = 18;
/** In major units, to either side of zero. */
export const maxMajorUnits: bigint = 10n ** 24n;

/**
 * Reads the wire form into minor units: `"500"` and `"500.00"` are 50000n at
 * two decimals. Decimals that the currency does not have are refused even if
 * they are zeros, because they were meant for another currency.
 * @throws MoneyError `not_a_decimal`, `too_many_digits`, `too_many_decimals`,
 *   `amount_too_large`, `decimals_out_of_range`
 */
export function parseAmount(text: string, decimals: number): bigint {
  const limit = maxMinor(decimals);
  const { units, scale } = parseDecimal(text);
  if (scale > decimals) {
    throw new MoneyError('too_many_decimals', `At most ${decimals} decimals.`);
  }
  const minor = units * tenTo(decimals - scale);
  if (minor > limit || minor < -limit) throw new MoneyError('amount_too_large', 'Above 10^24.');
  return minor;
}

/**
 * Writes minor units with exactly `decimals` decimals: `"500.00"`, `"-0.05"`,
 * `"12"` where the currency has none. Sums beyond the limit are written too.
 * @throws MoneyError `decimals_out_of_range`
 */
export function formatAmount(minor: bigint, decimals: number): string {
  return formatDecimal(toDecimal(minor, decimals));
}

/** The amount in major units. @throws MoneyError `decimals_out_of_range` */
export function toDecimal(minor: bigint, decimals: number): Decimal {
  checkDecimals(decimals);
  return { units: minor, scale: decimals };
}

/** The largest amount in minor units. @throws MoneyError `decimals_out_of_range` */
export function maxMinor(decimals: number): bigint {
  checkDecimals(decimals);
  return maxMajorUnits * tenTo(decimals);
}

function checkDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > maxDecimals) {
    throw new MoneyError('decimals_out_of_range', `A currency has 0 to ${maxDecimals} decimals.`);
  }
}
