/**
 * A decimal without the zeros at its end, but with at least two decimals where
 * it has them: `900.000000` is `900.00`. Still exact; for lists, where the
 * eighteen decimals of a chain would push everything else aside.
 */
export function shortFigure(decimal: string): string {
  return decimal.replace(/(\.\d{2}\d*?)0+$/, '$1');
}

/** From here on decimals are so many that they push the rest of a row aside. */
const manyDecimals = 9;

/** An amount in a list: short where its currency has more than eight decimals. */
export function listFigure(amount: string, decimals: number): string {
  return decimals < manyDecimals ? amount : shortFigure(amount);
}
