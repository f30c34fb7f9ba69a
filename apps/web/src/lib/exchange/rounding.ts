/** Whether a shown price was rounded, so that the page says so only then. Pure. */
import type { Breakdown } from '@cambist/contract/quotes';
import { compare, multiply, parseDecimal } from '@cambist/money/decimal';
import { unroundedRate } from '@cambist/money/quote';

/** Whether the exchanged amount times the rate is more than the gross amount. */
export function isRoundedDown({
  exchanged_amount,
  rate,
  gross_amount,
}: Pick<Breakdown, 'exchanged_amount' | 'rate' | 'gross_amount'>): boolean {
  const exact = multiply(parseDecimal(exchanged_amount), parseDecimal(rate));
  return compare(exact, parseDecimal(gross_amount)) > 0;
}

/**
 * The decimals that the rate was rounded down to after deducting the margins; null for an exact
 * rate or without a mid rate.
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
