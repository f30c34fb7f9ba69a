/** What the browser may say of a price before the service has answered. Pure. */
import type { Pair } from '@cambist/contract/pairs';
import { formatAmount, parseAmount } from '@cambist/money/amount';
import { formatDecimal, MoneyError, parseDecimal } from '@cambist/money/decimal';
import { customerRate } from '@cambist/money/quote';

/**
 * The customer's rate below the first tier with another mid rate, by the
 * arithmetic of the service; null where it would not be above zero.
 */
export function rateAt(
  pair: Pick<Pair, 'margin_absolute' | 'margin_percent' | 'rate_digits'>,
  midRate: string,
): string | null {
  try {
    const rate = customerRate(
      parseDecimal(midRate),
      parseDecimal(pair.margin_percent),
      parseDecimal(pair.margin_absolute),
      pair.rate_digits,
    );
    return rate.units > 0n ? formatDecimal(rate) : null;
  } catch (error) {
    if (error instanceof MoneyError) return null;
    throw error;
  }
}

/**
 * An amount to begin with: ten times the least, where that is allowed. Texts in
 * major units; '' while the limits cannot be read.
 */
export function openingAmount(least: string, most: string, decimals: number): string {
  try {
    const ten = parseAmount(least, decimals) * 10n;
    return formatAmount(ten <= parseAmount(most, decimals) ? ten : ten / 10n, decimals);
  } catch (error) {
    if (error instanceof MoneyError) return '';
    throw error;
  }
}
