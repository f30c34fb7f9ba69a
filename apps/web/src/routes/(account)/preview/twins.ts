/**
 * Whether an order would make what the customer already has under way: two tabs
 * on the same review each make an exchange, and both are right to the service.
 */
import type { Exchange, ExchangeSummary } from '@cambist/contract/exchanges';
import type { Quote } from '@cambist/contract/quotes';

const recentMs = 6 * 60 * 60_000;

/**
 * Those of `open` that are like `quote`: of its pair and one of its amounts, made
 * in the last six hours. Either amount will do, since the rate moves the other.
 */
export function twinsOf(
  open: readonly ExchangeSummary[],
  quote: Pick<Quote, 'pair' | 'send_amount' | 'receive_amount'>,
  serverNow: string,
): ExchangeSummary[] {
  const since = Date.parse(serverNow) - recentMs;
  return open.filter(
    ({ pair, send_amount, receive_amount, created_at }) =>
      pair === quote.pair &&
      (send_amount === quote.send_amount || receive_amount === quote.receive_amount) &&
      Date.parse(created_at) >= since,
  );
}

/** Whether `found` has an exchange that the customer has not seen. */
export function hasUnseen(
  found: readonly Pick<Exchange, 'number'>[],
  seen: readonly Pick<Exchange, 'number'>[],
): boolean {
  const known = new Set(seen.map(({ number }) => number));
  return found.some(({ number }) => !known.has(number));
}
