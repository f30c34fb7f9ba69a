/**
 * Exact decimals on `bigint`, for rates and percentages. Nothing here rounds
 * unless its name says which way: `Down` is toward −∞ and `Up` toward +∞, also
 * for negative values, so that the direction never depends on the sign.
 * Pure and without imports, since the browser computes with the same code.
 */

/** The value `units / 10^scale`; `scale` is a whole number, never negative. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

export type MoneyErrorCode =
  | 'not_a_decimal'
  | 'too_many_digits'
  | 'too_many_decimals'
  | 'decimals_out_of_range'
  | 'amount_too_small'
  | 'amount_too_large'
  | 'rate_not_positive'
  | 'fee_out_of_range'
  | 'tiers_out_of_order'
  | 'step_not_positive'
  | 'division_by_zero';

/** An error of this package. Callers show a message by `code`; `message` is for logs. */
export class MoneyError extends Error {
  readonly code: MoneyErrorCode;

  constructor(code: MoneyErrorCode, message: string) {
    super(message);
    this.name = 'MoneyError';
    this.code = code;
  }
}

/** Bounds the cost of an untrusted string; an amount needs 43 digits at most. */
const maxDigits = 60;
const decimalPattern = /^-?(\d+)(?:\.(\d+))?$/;

export const zero: Decimal = { units: 0n, scale: 0 };
export const one: Decimal = { units: 1n, scale: 0 };

/**
 * Reads `-?digits[.digits]`, at most 60 digits: no exponent, plus sign, spaces
 * or grouping. Keeps the scale as written, so `"1.50"` has scale 2.
 * @throws MoneyError `not_a_decimal`, `too_many_digits`
 */
export function parseDecimal(text: string): Decimal {
  // Length first: a pattern is not run over a megabyte of digits.
  if (text.length > maxDigits + 2) throw new MoneyError('too_many_digits', 'Too many digits.');
  const match = decimalPattern.exec(text);
  if (!match) throw new MoneyError('not_a_decimal', 'Not a decimal number.');
  const [, whole = '', fraction = ''] = match;
  const digits = whole + fraction;
  if (digits.length > maxDigits) throw new MoneyError('too_many_digits', 'Too many digits.');
  const units = BigInt(digits);
  return { units: text.startsWith('-') ? -units : units, scale: fraction.length };
}

/** Writes exactly `scale` decimals: units 150 at scale 2 is `"1.50"`. Zero has no sign. */
export function formatDecimal({ units, scale }: Decimal): string {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units);
  if (scale === 0) return sign + digits;
  const padded = digits.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/** Cached, since powers take most of a quote's time. */
const powers: readonly bigint[] = Array.from(
  { length: 64 },
  (_, exponent) => 10n ** BigInt(exponent),
);

/** 10^exponent, for a whole exponent of 0 or more; a RangeError otherwise. */
export function tenTo(exponent: number): bigint {
  return powers[exponent] ?? 10n ** BigInt(exponent);
}

/** ⌊a / b⌋, toward −∞. `bigint` division itself cuts toward zero. */
export function floorDivide(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new MoneyError('division_by_zero', 'Division by zero.');
  const quotient = a / b;
  return quotient * b !== a && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

/** ⌈a / b⌉, toward +∞. */
export function ceilDivide(a: bigint, b: bigint): bigint {
  return -floorDivide(-a, b);
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale };
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, { units: -b.units, scale: b.scale });
}

/** Exact: the scales add up. */
export function multiply(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale };
}

/** By value: `1.5` equals `1.50`. */
export function compare(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const difference = subtract(a, b).units;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Exactly `scale` decimals, toward −∞; missing decimals are filled with zeros. */
export function roundDown(d: Decimal, scale: number): Decimal {
  return divideDown(d, one, scale);
}

/** Exactly `scale` decimals, toward +∞; missing decimals are filled with zeros. */
export function roundUp(d: Decimal, scale: number): Decimal {
  return { units: -roundDown({ units: -d.units, scale: d.scale }, scale).units, scale };
}

/**
 * a / b at exactly `scale` decimals, rounded once, toward −∞.
 * @throws MoneyError `division_by_zero`; RangeError for a scale that is not whole or below zero
 */
export function divideDown(a: Decimal, b: Decimal, scale: number): Decimal {
  const units = floorDivide(a.units * tenTo(b.scale) * tenTo(scale), b.units * tenTo(a.scale));
  return { units, scale };
}

/** The same value without zeros at its end: `"1.50"` becomes `"1.5"`. */
export function trimZeros({ units, scale }: Decimal): Decimal {
  while (scale > 0 && units % 10n === 0n) {
    units /= 10n;
    scale -= 1;
  }
  return { units, scale };
}

/** With the fewest decimals of the same value. */
export function formatShortest(decimal: Decimal): string {
  return formatDecimal(trimZeros(decimal));
}

/** A written decimal without the zeros at its end, which a database column adds. */
export function shortest(decimal: string): string {
  return formatShortest(parseDecimal(decimal));
}

/** `percent` hundredths of `base`, exact: 1.5 of 200 is 3. */
export function percentOf(percent: Decimal, base: Decimal): Decimal {
  return { units: percent.units * base.units, scale: percent.scale + base.scale + 2 };
}

/** `scale` is at least the decimal's own. */
function unitsAt(d: Decimal, scale: number): bigint {
  return d.units * tenTo(scale - d.scale);
}
