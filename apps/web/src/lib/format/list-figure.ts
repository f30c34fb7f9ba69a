/** From here on decimals are so many that they push the rest of a row aside. */
const manyDecimals = 9;

/**
 * An amount as a list shows it: of a currency with more than eight decimals the
 * zeros at the end go, down to two decimals. Still exact. Decimal strings in and out.
 */
export function listFigure(amount: string, decimals: number): string {
  return decimals < manyDecimals ? amount : amount.replace(/(\.\d{2}\d*?)0+$/, '$1');
}
