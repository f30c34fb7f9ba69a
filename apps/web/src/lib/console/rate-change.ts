/** How far a new rate lies from the one before, exactly. */
import {
  compare,
  divideDown,
  formatDecimal,
  multiply,
  parseDecimal,
  subtract,
  type Decimal,
} from '@cambist/money/decimal';

const hundred: Decimal = { units: 100n, scale: 0 };

/**
 * In percent, two decimals, cut toward zero, so that a change is never shown larger than it is:
 * `"-5.00"`. Null where there was no rate above zero to compare with.
 */
export function percentChange(before: string | null, after: string): string | null {
  const from = before === null ? null : parseDecimal(before);
  if (from === null || from.units <= 0n) return null;
  const { units, scale } = subtract(parseDecimal(after), from);
  const size = multiply({ units: units < 0n ? -units : units, scale }, hundred);
  const percent = formatDecimal(divideDown(size, from, 2));
  return units < 0n && percent !== '0.00' ? `-${percent}` : percent;
}

/** Whether a change of so many percent leads to ten times what was before or more, or to a tenth or less. */
export function isTenfold(percent: string): boolean {
  const change = parseDecimal(percent);
  return compare(change, parseDecimal('900')) >= 0 || compare(change, parseDecimal('-90')) <= 0;
}
