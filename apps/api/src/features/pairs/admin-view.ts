/** Pairs as admins see them: with every setting and the reason for their state. */
import type { Pair } from '@cambist/contract/pairs';
import { formatAmount } from '@cambist/money/amount';
import { shortest } from '@cambist/money/decimal';
import { publicCurrency } from '#features/currencies/currencies.ts';
import type { Market } from '#features/rates/market/cross.ts';
import { readMarket } from '#features/rates/market/market.ts';
import { notFound } from '#kernel/refusal.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { databaseTime } from '#platform/db/database-clock.ts';
import { marketMidRate, type MidRate } from './mid-rate.ts';
import { customerRates, fees, publicStatus } from './public-views.ts';
import { endOrNull, statusOf, type PairStatus, type RatePolicy } from './state.ts';
import * as store from './store.ts';
import type { PairRow } from './store.ts';

/** @throws Refusal 404 */
export async function readPair(db: Db | Tx, slug: string, policy: RatePolicy): Promise<Pair> {
  const pair = await store.findPair(db, { slug });
  const [view] = pair === undefined ? [] : await viewAll(db, [pair], policy);
  if (view === undefined) throw notFound();
  return view;
}

export async function viewAll(
  db: Db | Tx,
  pairs: readonly PairRow[],
  policy: RatePolicy,
): Promise<Pair[]> {
  const now = await databaseTime(db);
  const market = pairs.some(({ rate_mode }) => rate_mode !== 'manual')
    ? await readMarket(db)
    : null;
  return pairs.map((pair) => {
    const status = statusOf(pair, policy, now);
    return adminView(pair, market ? withMarketReason(pair, status, market) : status);
  });
}

/** The pairs that can be exchanged now, or once they open. */
export async function listQuotable(db: Db, policy: RatePolicy, now: Date): Promise<PairRow[]> {
  const pairs = await store.listPriced(db);
  return pairs.filter((pair) =>
    ['live', 'delayed', 'closed'].includes(statusOf(pair, policy, now).state),
  );
}

/** Adds why the market gives the pair no rate, also while the last one stays in force. */
export function withMarketReason(pair: PairRow, status: PairStatus, market: Market): PairStatus {
  if (pair.rate_mode === 'manual' || !pair.active) return status;
  const { formula, send, receive } = pair;
  const { missing } = marketMidRate({ formula, from: send.unit, to: receive.unit }, market);
  if (pair.mid_rate === null)
    return { ...status, reason: missing ?? 'It takes its rate with the next run.' };
  if (missing === null || status.reason !== null) return status;
  return { ...status, reason: `${missing} The last rate stays in force until a run brings one.` };
}

function adminView(pair: PairRow, status: PairStatus): Pair {
  const sent = (minor: bigint) => formatAmount(minor, pair.send.decimals);
  const orNull = (minor: bigint | null) => (minor === null ? null : sent(minor));
  const { send, receive } = fees(pair);
  return {
    ...pair,
    send: publicCurrency(pair.send),
    receive: publicCurrency(pair.receive),
    ...midRateView(pair),
    margin_percent: shortest(pair.margin_percent),
    margin_absolute: shortest(pair.margin_absolute),
    rate_min: pair.rate_min === null ? null : shortest(pair.rate_min),
    rate_max: pair.rate_max === null ? null : shortest(pair.rate_max),
    tiers: pair.tiers.map(({ from, margin_percent }) => ({
      from: sent(BigInt(from)),
      margin_percent: shortest(margin_percent),
    })),
    rate: customerRates(pair).rate,
    send_fee: send,
    receive_fee: receive,
    payout_step:
      pair.payout_step === null ? null : formatAmount(pair.payout_step, pair.receive.decimals),
    min_send: sent(pair.min_send),
    max_send: sent(pair.max_send),
    day_max_send: orNull(pair.day_max_send),
    month_max_send: orNull(pair.month_max_send),
    updated_at: pair.updated_at.toISOString(),
    ...publicStatus(status),
    state_reason: status.reason,
  };
}

/** A rate that never expires has none of the last three times. */
export function midRateView(pair: MidRate) {
  const time = (at: Date | null) => endOrNull(at)?.toISOString() ?? null;
  return {
    mid_rate: pair.mid_rate === null ? null : shortest(pair.mid_rate),
    mid_source: pair.mid_source,
    mid_as_of: time(pair.mid_as_of),
    mid_confirmed_at: time(pair.mid_confirmed_at),
    mid_fresh_until: time(pair.mid_fresh_until),
    mid_until: time(pair.mid_until),
  };
}
