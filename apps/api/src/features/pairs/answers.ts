/** Pure: pairs as the public and the admins are told of them. */
import { publicCurrency } from '#features/currencies/currencies.ts';
import type { ConverterCurrency, ConverterPair, Pair, ShowcaseRate } from '@cambist/contract/pairs';
import { formatAmount } from '@cambist/money/amount';
import { formatDecimal, parseDecimal, shortest } from '@cambist/money/decimal';
import type { Mid } from './mid.ts';
import { change, sendLimits, terms, type Price } from './price.ts';
import { endOrNull, standingOf, type RatePolicy, type Standing } from './state.ts';
import type { PairRow, WithHistory } from './store.ts';

/** All that are not paused: of those that are stale or closed one is told so, and until when. */
export function converterAnswer(
  pairs: readonly PairRow[],
  policy: RatePolicy,
  now: Date,
): {
  currencies: ConverterCurrency[];
  pairs: ConverterPair[];
} {
  const offered = offers(pairs, policy, now);
  const sides = offered.flatMap(({ pair: { send, receive } }) => [send, receive]);
  const currencies = [...new Map(sides.map((side) => [side.slug, side])).values()]
    .toSorted((a, b) => a.position - b.position || (a.slug < b.slug ? -1 : 1))
    .map((side) => ({ ...publicCurrency(side), export_code: side.export_code }));
  return { currencies, pairs: offered.map(converterPair) };
}

export interface Offer<P extends PairRow = PairRow> {
  readonly pair: P;
  readonly standing: Standing;
}

/** What the public may know of: everything that is not paused. */
export function offers<P extends PairRow>(
  pairs: readonly P[],
  policy: RatePolicy,
  now: Date,
): Offer<P>[] {
  return pairs
    .map((pair) => ({ pair, standing: standingOf(pair, policy, now) }))
    .filter(({ standing }) => standing.state !== 'paused');
}

function converterPair({ pair, standing }: Offer): ConverterPair {
  const limits = sendLimits(pair);
  const { rate, tiers } = rates(pair);
  const { send, receive } = fees(pair);
  const amount = (minor: bigint | undefined) => formatAmount(minor ?? 0n, pair.send.decimals);
  const orNull = (minor: bigint | null) => (minor === null ? null : amount(minor));
  return {
    slug: pair.slug,
    send: pair.send.slug,
    receive: pair.receive.slug,
    rate: rate ?? '0',
    // Where the limits end before a tier begins, nobody reaches it.
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
    lock_minutes: standing.lockMinutes,
    pay_minutes: pair.pay_minutes,
    payout_time: pair.receive.payout_time,
    hours: pair.hours,
    ...told(standing),
  };
}

export function showcaseAnswer(
  pairs: readonly WithHistory[],
  policy: RatePolicy,
  now: Date,
): ShowcaseRate[] {
  return offers(pairs, policy, now).map(({ pair, standing }) => ({
    pair: pair.slug,
    send: publicCurrency(pair.send),
    receive: publicCurrency(pair.receive),
    rate: rates(pair).rate ?? '0',
    change_24h: changeOf(pair),
    sparkline: (pair.sparkline ?? []).map(shortest),
    as_of: (pair.mid_as_of ?? pair.updated_at).toISOString(),
    ...told(standing),
  }));
}

/** The public part of a standing. */
export function told({ state, checking, staleAt, opensAt }: Standing) {
  return {
    state,
    checking,
    stale_at: staleAt?.toISOString() ?? null,
    opens_at: opensAt?.toISOString() ?? null,
  };
}

function changeOf({ day_ago, mid_rate }: WithHistory): string | null {
  if (day_ago === null || mid_rate === null) return null;
  return change(parseDecimal(day_ago), parseDecimal(mid_rate));
}

/** As an admin sees and edits it. */
export function present(pair: PairRow, standing: Standing): Pair {
  const sent = (minor: bigint) => formatAmount(minor, pair.send.decimals);
  const orNull = (minor: bigint | null) => (minor === null ? null : sent(minor));
  const { send, receive } = fees(pair);
  return {
    ...pair,
    send: publicCurrency(pair.send),
    receive: publicCurrency(pair.receive),
    ...shownMid(pair),
    margin_percent: shortest(pair.margin_percent),
    margin_absolute: shortest(pair.margin_absolute),
    rate_min: pair.rate_min === null ? null : shortest(pair.rate_min),
    rate_max: pair.rate_max === null ? null : shortest(pair.rate_max),
    tiers: pair.tiers.map(({ from, margin_percent }) => ({
      from: sent(BigInt(from)),
      margin_percent: shortest(margin_percent),
    })),
    rate: rates(pair).rate,
    send_fee: send,
    receive_fee: receive,
    payout_step:
      pair.payout_step === null ? null : formatAmount(pair.payout_step, pair.receive.decimals),
    min_send: sent(pair.min_send),
    max_send: sent(pair.max_send),
    day_max_send: orNull(pair.day_max_send),
    month_max_send: orNull(pair.month_max_send),
    updated_at: pair.updated_at.toISOString(),
    ...told(standing),
    state_reason: standing.reason,
  };
}

/** The mid rate with its times; what cannot grow old has none of the last three. */
export function shownMid(pair: Mid) {
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

/** The customer's rates with the digits that they were rounded to. */
export function rates(pair: Price & { readonly send: { readonly decimals: number } }) {
  const priced = terms(pair);
  return {
    rate: priced && formatDecimal(priced.rate),
    tiers: (priced?.tiers ?? []).map(({ from, rate }) => ({
      from: formatAmount(from, pair.send.decimals),
      rate: formatDecimal(rate),
    })),
  };
}

function fees(pair: PairRow) {
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
