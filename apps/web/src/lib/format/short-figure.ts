/**
 * A decimal without the zeros at its end, but with at least two decimals where
 * it has them: `900.000000` is `900.00`. Still exact; for lists, where the
 * eighteen decimals of a chain would push everything else aside.
 */
export function shortFigure(decimal: string): string {
  return decimal.replace(/(\.\d{2}\d*?)0+$/, '$1');
}
