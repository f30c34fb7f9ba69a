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

export interface RateChange {
  /** In percent, two decimals, cut toward zero: `"-5.00"`. Its sign tells the direction. */
  readonly percent: string;
  readonly direction: 'up' | 'down' | 'none';
}

const hundred: Decimal = { units: 100n, scale: 0 };
const magnitude = ({ units, scale }: Decimal): Decimal => ({
  units: units < 0n ? -units : units,
  scale,
});

/** Null where there was no rate, or none above zero, to compare with. */
export function rateChange(before: string | null, after: string): RateChange | null {
  const from = before === null ? null : parseDecimal(before);
  if (from === null || from.units <= 0n) return null;
  const difference = subtract(parseDecimal(after), from);
  if (difference.units === 0n) return { percent: '0.00', direction: 'none' };
  // The magnitude is cut down, so that a change is never shown larger than it is.
  const size = formatDecimal(divideDown(multiply(magnitude(difference), hundred), from, 2));
  return difference.units < 0n
    ? { percent: size === '0.00' ? size : `-${size}`, direction: 'down' }
    : { percent: size, direction: 'up' };
}

/** Whether a change of so many percent leads to ten times what was before or more, or to a tenth or less. */
export function isTenfold(percent: string): boolean {
  const change = parseDecimal(percent);
  return compare(change, parseDecimal('900')) >= 0 || compare(change, parseDecimal('-90')) <= 0;
}

export type RateFault = 'missing' | 'zero' | 'too_long';

/** Why `typed`, a canonical decimal or '', cannot be a rate; null when it can. */
export function rateFault(typed: string): RateFault | null {
  if (typed === '') return 'missing';
  if (!/[1-9]/.test(typed)) return 'zero';
  // The widest figure that the service takes.
  return /^\d{1,30}(\.\d{1,18})?$/.test(typed) ? null : 'too_long';
}
