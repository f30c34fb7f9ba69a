/**
 * Pure: what a pair's figures amount to. The one place where a row becomes the
 * terms of packages/money, and where the limits of a pair and of its two
 * currencies become one range.
 */
import { formatDecimal, MoneyError, parseDecimal, type Decimal } from '@cambist/money/decimal';
import { customerRate, quoteReceive, quoteSend, type PriceTerms } from '@cambist/money/quote';
import type { PairsTable } from '#platform/db/tables.generated.ts';
import type { Selectable } from 'kysely';
import type { Side } from './store.ts';

type Row = Selectable<PairsTable>;

/** What a price is made of; a pair's row with its currencies has it all. Amounts in minor units. */
export type Price = Pick<
  Row,
  | 'margin_absolute'
  | 'margin_percent'
  | 'mid_rate'
  | 'payout_step'
  | 'rate_digits'
  | 'receive_fee_fixed'
  | 'receive_fee_max'
  | 'receive_fee_min'
  | 'receive_fee_percent'
  | 'send_fee_fixed'
  | 'send_fee_max'
  | 'send_fee_min'
  | 'send_fee_percent'
  | 'tiers'
> & {
  readonly send: { readonly decimals: number };
  readonly receive: { readonly decimals: number };
};

export type Limited = Price &
  Pick<
    Row,
    'min_send' | 'max_send' | 'day_max_send' | 'month_max_send' | 'rate_min' | 'rate_max'
  > & {
    readonly send: Pick<Side, 'decimals' | 'unit' | 'min_send' | 'max_send'>;
    readonly receive: Pick<Side, 'decimals' | 'unit' | 'min_receive' | 'max_receive'>;
  };

/** Null without a mid rate. The rate may be zero or less where the figures allow no price. */
export function terms(price: Price): PriceTerms | null {
  if (price.mid_rate === null) return null;
  const mid = parseDecimal(price.mid_rate);
  const absolute = parseDecimal(price.margin_absolute);
  const rateAt = (percent: string) =>
    customerRate(mid, parseDecimal(percent), absolute, price.rate_digits);
  return {
    sendDecimals: price.send.decimals,
    receiveDecimals: price.receive.decimals,
    rate: rateAt(price.margin_percent),
    tiers: price.tiers.map(({ from, margin_percent }) => ({
      from: BigInt(from),
      rate: rateAt(margin_percent),
    })),
    mid,
    sendFee: {
      fixed: price.send_fee_fixed,
      percent: parseDecimal(price.send_fee_percent),
      min: price.send_fee_min,
      max: price.send_fee_max,
    },
    receiveFee: {
      fixed: price.receive_fee_fixed,
      percent: parseDecimal(price.receive_fee_percent),
      min: price.receive_fee_min,
      max: price.receive_fee_max,
    },
    payoutStep: price.payout_step ?? 1n,
  };
}

/**
 * The least and the most that can be sent at once, in minor units: the tightest of
 * the pair's limits, those of a day and a month too, and of both currencies', those of the receive side expressed in
 * the send currency, enough that something is paid out, and no more than a quote can
 * count. Null where nothing is left between them, or without a price.
 */
export function sendLimits(pair: Limited): { min: bigint; max: bigint } | null {
  const priced = terms(pair);
  if (priced === null || priced.rate.units <= 0n) return null;
  const { send, receive } = pair;
  // A payout never falls as the send rises (tiers may only lower the margin), so
  // the least send for a payout marks both ends: up to one unit before it is the most send for any payout below.
  const leastFor = (payout: bigint) => leastSend(priced, payout);
  const least = leastFor(receive.min_receive ?? 1n);
  if (least === null) return null;
  const min = largest(pair.min_send, send.min_send, least);
  const above = receive.max_receive === null ? null : leastFor(receive.max_receive + 1n);
  const { max_send, day_max_send: day, month_max_send: month } = pair;
  const allowed = smallest(max_send, day, month, send.max_send, above === null ? null : above - 1n);
  const max = mostSend(priced, allowed);
  return min > max ? null : { min, max };
}

/** A pair's limit may be of a time when its rate was not known: the most up to it that a quote takes. */
function mostSend(priced: PriceTerms, allowed: bigint): bigint {
  if (!isTooLarge(priced, allowed)) return allowed;
  let [taken, refused] = [0n, allowed];
  while (refused - taken > 1n) {
    const middle = (taken + refused) / 2n;
    if (isTooLarge(priced, middle)) refused = middle;
    else taken = middle;
  }
  return taken;
}

function isTooLarge(priced: PriceTerms, send: bigint): boolean {
  try {
    quoteSend(priced, send);
    return false;
  } catch (error) {
    return error instanceof MoneyError && error.code === 'amount_too_large';
  }
}

/** Null where no amount that the desk takes reaches the payout. */
function leastSend(priced: PriceTerms, payout: bigint): bigint | null {
  try {
    return quoteReceive(priced, payout).send;
  } catch (error) {
    if (error instanceof MoneyError && error.code === 'amount_too_large') return null;
    throw error;
  }
}

function largest(first: bigint, ...others: (bigint | null)[]): bigint {
  return others.reduce<bigint>((most, each) => (each !== null && each > most ? each : most), first);
}

function smallest(first: bigint, ...others: (bigint | null)[]): bigint {
  return others.reduce<bigint>(
    (least, each) => (each !== null && each < least ? each : least),
    first,
  );
}

/** Percent from `before` to `now`, rounded half up to two decimals: `"-0.42"`. */
export function change(before: Decimal, now: Decimal): string {
  const scale = Math.max(before.scale, now.scale);
  const at = ({ units, scale: own }: Decimal) => units * 10n ** BigInt(scale - own);
  const [from, to] = [at(before), at(now)];
  const doubled = (to - from) * 20_000n + from;
  const units = doubled / (2n * from) - (doubled < 0n && doubled % (2n * from) !== 0n ? 1n : 0n);
  return formatDecimal({ units, scale: 2 });
}
