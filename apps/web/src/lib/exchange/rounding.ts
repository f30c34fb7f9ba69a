/** Whether a shown price was rounded on its way: a line may only say so where it was. Pure. */
import type { Breakdown } from '@cambist/contract/quotes';
import { compare, multiply, parseDecimal } from '@cambist/money/decimal';

/** True when what is exchanged, times the rate, is more than the amount it was rounded down to. */
export function isRoundedDown({
  exchanged_amount,
  rate,
  gross_amount,
}: Pick<Breakdown, 'exchanged_amount' | 'rate' | 'gross_amount'>): boolean {
  const exact = multiply(parseDecimal(exchanged_amount), parseDecimal(rate));
  return compare(exact, parseDecimal(gross_amount)) > 0;
}
