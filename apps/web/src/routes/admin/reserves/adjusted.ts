/** What a reserve will be after an adjustment, before it is made. Pure. */
import { formatAmount, parseAmount } from '@cambist/money/amount';
import { MoneyError } from '@cambist/money/decimal';

export type Direction = 'in' | 'out';

export type Adjusted =
  | { readonly kind: 'result'; readonly after: string }
  | { readonly kind: 'lacking'; readonly missing: string }
  | { readonly kind: 'empty' | 'unreadable' | 'too_many_decimals' };

/** Amounts in major units; `typed` is canonical, or '' while nothing readable is there. */
export function adjusted(
  available: string,
  direction: Direction,
  typed: string,
  decimals: number,
): Adjusted {
  if (typed === '') return { kind: 'empty' };
  try {
    const amount = parseAmount(typed, decimals);
    if (amount <= 0n) return { kind: 'unreadable' };
    const after = parseAmount(available, decimals) + (direction === 'in' ? amount : -amount);
    if (after < 0n) return { kind: 'lacking', missing: formatAmount(-after, decimals) };
    return { kind: 'result', after: formatAmount(after, decimals) };
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    return { kind: error.code === 'too_many_decimals' ? 'too_many_decimals' : 'unreadable' };
  }
}
