/** What reaches the customer of a refund, and comes back when it is returned: the charge stays with the desk. */
import { formatAmount, parseAmount } from '@cambist/money/amount';

export function lessCharge(
  { amount, charge }: { readonly amount: string; readonly charge: string },
  { decimals }: { readonly decimals: number },
): string {
  return formatAmount(parseAmount(amount, decimals) - parseAmount(charge, decimals), decimals);
}
