/** Compares a new price with the one the customer saw. Pure and exact. */
import { compare, formatDecimal, parseDecimal, subtract } from '@cambist/money/decimal';

/** Decimal strings. */
export interface SeenPrice {
  readonly send_amount: string;
  readonly rate: string;
  readonly receive_amount: string;
}

export interface PriceLine {
  readonly what: 'send_amount' | 'rate' | 'receive_amount';
  readonly before: string;
  readonly after: string;
  /** `after − before`, signed. */
  readonly difference: string;
  /** For the customer: sending less or receiving more is better. */
  readonly effect: 'better' | 'worse' | 'same';
}

const lines = ['send_amount', 'rate', 'receive_amount'] as const;

export function priceChange(before: SeenPrice, after: SeenPrice): PriceLine[] {
  return lines.map((what) => {
    const [old, now] = [parseDecimal(before[what]), parseDecimal(after[what])];
    const order = compare(now, old) * (what === 'send_amount' ? -1 : 1);
    return {
      what,
      before: before[what],
      after: after[what],
      difference: formatDecimal(subtract(now, old)),
      effect: order > 0 ? 'better' : order < 0 ? 'worse' : 'same',
    };
  });
}

/** Compared by value: trailing zeros do not count. */
export function isSamePrice(before: SeenPrice, after: SeenPrice): boolean {
  return priceChange(before, after).every(({ effect }) => effect === 'same');
}
