import { formatDecimal, parseDecimal, trimZeros } from '@cambist/money/decimal';

/** A limit is a round figure: zeros of eighteen decimals only hide it. Decimal strings in and out. */
export function roundLimit(amount: string): string {
  const { units, scale } = trimZeros(parseDecimal(amount));
  return scale === 0 || scale >= 2
    ? formatDecimal({ units, scale })
    : formatDecimal({ units: units * 10n, scale: 2 });
}
