import { formatDecimal, parseDecimal, trimZeros } from '@cambist/money/decimal';

/** A limit without the trailing zeros of eighteen decimals. */
export function roundLimit(amount: string): string {
  const { units, scale } = trimZeros(parseDecimal(amount));
  return scale === 0 || scale >= 2
    ? formatDecimal({ units, scale })
    : formatDecimal({ units: units * 10n, scale: 2 });
}
