/** Whether a shown price was rounded on its way: a line may only say so where it was. Pure. */
import type { Breakdown } from '@cambist/contract/quotes';
import { compare, multiply, parseDecimal } from '@cambist/money/decimal';
import { unroundedRate } from '@cambist/money/quote';

/** True when what is exchanged, times the rate, is more than the amount it was rounded down to. */
export function isRoundedDown({
  exchanged_amount,
  rate,
  gross_amount,
}: Pick<Breakdown, 'exchanged_amount' | 'rate' | 'gross_amount'>): boolean {
  const exact = multiply(parseDecimal(exchanged_amount), parseDecimal(rate));
  return compare(exact, parseDecimal(gross_amount)) > 0;
}

/**
 * The decimals that the rate was rounded down to, after the margins were taken
 * off the mid rate; null where it came out even, or where there is no mid.
 */
export function rateRoundedTo({
  mid_rate,
  margin_percent,
  margin_absolute,
  rate,
}: Pick<Breakdown, 'mid_rate' | 'margin_percent' | 'margin_absolute' | 'rate'>): number | null {
  if (mid_rate === null) return null;
  const shown = parseDecimal(rate);
  const exact = unroundedRate(
    parseDecimal(mid_rate),
    parseDecimal(margin_percent),
    parseDecimal(margin_absolute),
  );
  return compare(exact, shown) > 0 ? shown.scale : null;
}
