/** Pairs as customers see them. A paused pair is not shown; a stale or closed one is, with its state. */
import { publicCurrency } from '#features/currencies/currencies.ts';
import type { ConverterCurrency, ConverterPair, ShowcaseRate } from '@cambist/contract/pairs';
import type { CustomerLimits } from '@cambist/contract/pair-terms';
import type { SettingValue } from '@cambist/contract/settings';
import { formatAmount } from '@cambist/money/amount';
import { formatDecimal, parseDecimal, shortest } from '@cambist/money/decimal';
import type { Db, Tx } from '#platform/db/database.ts';
import { databaseTime } from '#platform/db/database-clock.ts';
import { sendLimits } from './limits.ts';
import type { ShownReserves } from './reserves.ts';
import { statusOf, type PairStatus, type RatePolicy } from './state.ts';
import { listPairsById, type PairRow, type PairWithHistory } from './store.ts';
import { percentChange, terms, type PriceColumns } from './terms.ts';

export function converterAnswer(
  pairs: readonly PairRow[],
  policy: RatePolicy,
  now: Date,
  reserves: ShownReserves['bySlug'],
  desk: SettingValue<'desk'>,
): {
  currencies: ConverterCurrency[];
  pairs: ConverterPair[];
  customer_limits: CustomerLimits;
} {
  const shown = publicPairs(pairs, policy, now);
  const sides = shown.flatMap(({ pair: { send, receive } }) => [send, receive]);
  const currencies = [...new Map(sides.map((side) => [side.slug, side])).values()]
    .toSorted((a, b) => a.position - b.position || (a.slug < b.slug ? -1 : 1))
    .map((side) => ({
      ...publicCurrency(side),
      export_code: side.export_code,
      ...(reserves.get(side.slug) ?? noReserve(side.decimals)),
    }));
  return { currencies, pairs: shown.map(converterPair), customer_limits: limitsOf(desk) };
}

function limitsOf(desk: SettingValue<'desk'>): CustomerLimits {
  const orNone = (amount: string) => (parseDecimal(amount).units === 0n ? null : amount);
  return {
    unit: desk.reporting_unit,
    day: orNone(desk.customer_day_limit),
    month: orNone(desk.customer_month_limit),
  };
}

/** Of a currency that was added a moment ago. */
function noReserve(decimals: number) {
  return { reserve: formatAmount(0n, decimals), reserve_capped: false };
}

interface PublicPair<P extends PairRow = PairRow> {
  readonly pair: P;
  readonly status: PairStatus;
}

function publicPairs<P extends PairRow>(
  pairs: readonly P[],
  policy: RatePolicy,
  now: Date,
): PublicPair<P>[] {
  return pairs
    .map((pair) => ({ pair, status: statusOf(pair, policy, now) }))
    .filter(({ status }) => status.state !== 'paused');
}

function converterPair({ pair, status }: PublicPair): ConverterPair {
  const limits = sendLimits(pair);
  const { rate, tiers } = customerRates(pair);
  const { send, receive } = fees(pair);
  const amount = (minor: bigint | undefined) => formatAmount(minor ?? 0n, pair.send.decimals);
  const orNull = (minor: bigint | null) => (minor === null ? null : amount(minor));
  return {
    slug: pair.slug,
    send: pair.send.slug,
    receive: pair.receive.slug,
    rate: rate ?? '0',
    // Tiers above the limits cannot be reached.
    tiers: tiers.filter((_, at) => BigInt(pair.tiers[at]?.from ?? 0n) <= (limits?.max ?? 0n)),
    mid_rate: pair.mid_rate === null ? null : shortest(pair.mid_rate),
    mid_source: pair.mid_source,
    mid_as_of: pair.mid_as_of?.toISOString() ?? null,
    fees: { send, receive },
    payout_step: formatAmount(pair.payout_step ?? 1n, pair.receive.decimals),
    min: amount(limits?.min),
    max: amount(limits?.max),
    day_max: orNull(pair.day_max_send),
    month_max: orNull(pair.month_max_send),
    lock_minutes: status.lockMinutes,
    pay_minutes: pair.pay_minutes,
    payout_time: pair.receive.payout_time,
    hours: pair.hours,
    ...publicStatus(status),
  };
}

export function showcaseAnswer(
  pairs: readonly PairWithHistory[],
  policy: RatePolicy,
  now: Date,
): ShowcaseRate[] {
  return publicPairs(pairs, policy, now).map(({ pair, status }) => ({
    pair: pair.slug,
    send: publicCurrency(pair.send),
    receive: publicCurrency(pair.receive),
    rate: customerRates(pair).rate ?? '0',
    change_24h: changeOf(pair),
    sparkline: (pair.sparkline ?? []).map(shortest),
    as_of: (pair.mid_as_of ?? pair.updated_at).toISOString(),
    ...publicStatus(status),
  }));
}

/** The public part of a status. */
export function publicStatus({ state, checking, staleAt, opensAt }: PairStatus) {
  return {
    state,
    checking,
    stale_at: staleAt?.toISOString() ?? null,
    opens_at: opensAt?.toISOString() ?? null,
  };
}

function changeOf({ day_ago, mid_rate }: PairWithHistory): string | null {
  if (day_ago === null || mid_rate === null) return null;
  return percentChange(parseDecimal(day_ago), parseDecimal(mid_rate));
}

/** The customer's rates with the digits they were rounded to. */
export function customerRates(pair: PriceColumns) {
  const priced = terms(pair);
  return {
    rate: priced && formatDecimal(priced.rate),
    tiers: (priced?.tiers ?? []).map(({ from, rate }) => ({
      from: formatAmount(from, pair.send.decimals),
      rate: formatDecimal(rate),
    })),
  };
}

export function fees(pair: PairRow) {
  const fee = (side: 'send' | 'receive') => {
    const amount = (minor: bigint) => formatAmount(minor, pair[side].decimals);
    const [min, max] = [pair[`${side}_fee_min`], pair[`${side}_fee_max`]];
    return {
      fixed: amount(pair[`${side}_fee_fixed`]),
      percent: shortest(pair[`${side}_fee_percent`]),
      min: min === null ? null : amount(min),
      max: max === null ? null : amount(max),
    };
  };
  return { send: fee('send'), receive: fee('receive') };
}

export interface CurrentRate extends ReturnType<typeof publicStatus> {
  readonly pair: PairRow;
  /** Below the first tier, with the digits it was rounded to; null while it is paused. */
  readonly rate: string | null;
}

export async function currentRates(
  db: Db | Tx,
  policy: RatePolicy,
  ids: readonly string[],
): Promise<CurrentRate[]> {
  const pairs = await listPairsById(db, ids);
  const now = await databaseTime(db);
  return pairs.map((pair) => {
    const status = statusOf(pair, policy, now);
    const rate = status.state === 'paused' ? null : customerRates(pair).rate;
    return { pair, rate, ...publicStatus(status) };
  });
}
