/** What an operator typed as received, held against what was expected. */
import { formatAmount, parseAmount } from '@cambist/money/amount';
import { MoneyError } from '@cambist/money/decimal';

export type ReceivedComparison =
  | { readonly kind: 'empty' | 'unreadable' | 'too_many_decimals' | 'matches' }
  /** `difference` is above zero, in major units. */
  | { readonly kind: 'less' | 'more'; readonly difference: string };

/** `typed` is a canonical decimal, or '' while nothing readable is there. */
export function compareReceived(
  typed: string,
  expected: string,
  decimals: number,
): ReceivedComparison {
  if (typed === '') return { kind: 'empty' };
  let difference: bigint;
  try {
    difference = parseAmount(typed, decimals) - parseAmount(expected, decimals);
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    return { kind: error.code === 'too_many_decimals' ? 'too_many_decimals' : 'unreadable' };
  }
  if (difference === 0n) return { kind: 'matches' };
  return difference < 0n
    ? { kind: 'less', difference: formatAmount(-difference, decimals) }
    : { kind: 'more', difference: formatAmount(difference, decimals) };
}
