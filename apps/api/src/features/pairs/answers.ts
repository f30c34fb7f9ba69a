/** Pure: pairs as the public and the admins are told of them. */
import { publicCurrency } from '#features/currencies/currencies.ts';
import type { ConverterPair, Pair, ShowcaseRate } from '@cambist/contract/pairs';
import type { PublicCurrency } from '@cambist/contract/currencies';
import { formatAmount } from '@cambist/money/amount';
import { formatDecimal, parseDecimal } from '@cambist/money/decimal';
import { change, sendLimits, shortest, terms } from './price.ts';
import type { PairRow, WithHistory } from './store.ts';

/** Whether an exchange in this pair can be made now, the reserve aside. */
export function isOpen(pair: PairRow): boolean {
  const { active, send, receive } = pair;
  return active && send.active && receive.active && send.payable && sendLimits(pair) !== null;
}

export function converterAnswer(pairs: readonly PairRow[]): {
  currencies: PublicCurrency[];
  pairs: ConverterPair[];
} {
  const open = pairs.filter(isOpen);
  const sides = open.flatMap(({ send, receive }) => [send, receive]);
  const currencies = [...new Map(sides.map((side) => [side.slug, side])).values()]
    .toSorted((a, b) => a.position - b.position || (a.slug < b.slug ? -1 : 1))
    .map(publicCurrency);
  return { currencies, pairs: open.map(converterPair) };
}

function converterPair(pair: PairRow): ConverterPair {
  const limits = sendLimits(pair);
  const { send, receive } = fees(pair);
  const amount = (minor: bigint | undefined) => formatAmount(minor ?? 0n, pair.send.decimals);
  return {
    slug: pair.slug,
    send: pair.send.slug,
    receive: pair.receive.slug,
    rate: rate(pair) ?? '0',
    mid_rate: pair.mid_rate === null ? null : shortest(pair.mid_rate),
    mid_source: pair.mid_source,
    mid_as_of: pair.mid_as_of?.toISOString() ?? null,
    tiers: [],
    fees: {
      send: { ...send, min: null, max: null },
      receive: { ...receive, min: null, max: null },
    },
    payout_step: formatAmount(1n, pair.receive.decimals),
    min: amount(limits?.min),
    max: amount(limits?.max),
    lock_minutes: pair.lock_minutes,
    pay_minutes: pair.pay_minutes,
    payout_time: pair.receive.payout_time,
  };
}

export function showcaseAnswer(pairs: readonly WithHistory[]): ShowcaseRate[] {
  return pairs.filter(isOpen).map((pair) => ({
    pair: pair.slug,
    send: publicCurrency(pair.send),
    receive: publicCurrency(pair.receive),
    rate: rate(pair) ?? '0',
    change_24h: changeOf(pair),
    sparkline: (pair.sparkline ?? []).map(shortest),
    as_of: (pair.mid_as_of ?? pair.updated_at).toISOString(),
    state: 'live',
  }));
}

function changeOf({ day_ago, mid_rate }: WithHistory): string | null {
  if (day_ago === null || mid_rate === null) return null;
  return change(parseDecimal(day_ago), parseDecimal(mid_rate));
}

/** As an admin sees and edits it. */
export function present(pair: PairRow): Pair {
  const sent = (minor: bigint) => formatAmount(minor, pair.send.decimals);
  const orNull = (minor: bigint | null) => (minor === null ? null : sent(minor));
  const { send, receive } = fees(pair);
  return {
    ...pair,
    send: publicCurrency(pair.send),
    receive: publicCurrency(pair.receive),
    mid_rate: pair.mid_rate === null ? null : shortest(pair.mid_rate),
    mid_as_of: pair.mid_as_of?.toISOString() ?? null,
    margin_percent: shortest(pair.margin_percent),
    rate: rate(pair),
    send_fee: send,
    receive_fee: receive,
    min_send: sent(pair.min_send),
    max_send: sent(pair.max_send),
    day_max_send: orNull(pair.day_max_send),
    month_max_send: orNull(pair.month_max_send),
    updated_at: pair.updated_at.toISOString(),
  };
}

function rate(pair: PairRow): string | null {
  const priced = terms(pair);
  return priced && formatDecimal(priced.rate);
}

function fees(pair: PairRow) {
  return {
    send: {
      fixed: formatAmount(pair.send_fee_fixed, pair.send.decimals),
      percent: shortest(pair.send_fee_percent),
    },
    receive: {
      fixed: formatAmount(pair.receive_fee_fixed, pair.receive.decimals),
      percent: shortest(pair.receive_fee_percent),
    },
  };
}
