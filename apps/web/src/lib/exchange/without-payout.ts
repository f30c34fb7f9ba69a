/** Exchanges that pay nothing out: of them nobody may read that a payout comes. Pure. */
import type { ExchangeState } from '@cambist/contract/exchanges';

const without: ReadonlySet<ExchangeState> = new Set([
  'cancelled',
  'expired',
  'rejected',
  'refund_pending',
  'refunded',
]);

export function isWithoutPayout(state: ExchangeState): boolean {
  return without.has(state);
}
