/** Pure: a JSON number as a plain decimal for the database and `packages/money`. */

/** `numeric(60, 18)`, the columns of rates. */
const MAX_DECIMALS = 18;
const MAX_WHOLE_DIGITS = 42;
const NUMERAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?)0*(\d+))?$/;

/** For a number other than 0 without a representable digit. */
const TOO_SMALL = 'too small';
/** For a number with more than 42 digits before the point. */
const TOO_LARGE = 'too large';
/** A longer number is returned as its beginning with an ellipsis, which is no decimal. */
const MAX_DIGITS = 1000;
const SHOWN_DIGITS = 8;

/** Truncated after the 18th decimal: `1.50` stays `1.50`, `1e-7` becomes `0.0000001`. */
export function plainDecimal(numeral: string): string {
  const [, sign = '', whole = '', fraction = '', direction = '', power = ''] =
    NUMERAL.exec(numeral) ?? [];
  const digits = whole + fraction;
  if (/^0*$/.test(digits)) return '0';
  const exponent = Number.parseInt(`${direction}${power || '0'}`, 10);
  // Bounds the number of zeros.
  if (power.length > 4) return exponent < 0 ? TOO_SMALL : TOO_LARGE;
  const point = whole.length + exponent;
  const integer = digits
    .slice(0, Math.max(point, 0))
    .padEnd(point, '0')
    .replace(/^0+(?=\d)/, '');
  if (integer.length > MAX_WHOLE_DIGITS) return TOO_LARGE;
  const decimals = '0'.repeat(Math.max(-point, 0)) + digits.slice(Math.max(point, 0));
  const digitsLeft = decimals.slice(0, MAX_DECIMALS);
  if (!/[1-9]/.test(integer + digitsLeft)) return TOO_SMALL;
  if (digits.length > MAX_DIGITS)
    return `${sign}${integer || '0'}.${digitsLeft.slice(0, SHOWN_DIGITS)}…`;
  return `${sign}${integer || '0'}${digitsLeft === '' ? '' : `.${digitsLeft}`}`;
}
