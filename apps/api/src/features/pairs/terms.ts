/** Pure: a pair's row as the price terms of packages/money. The only place of this conversion. */
import { formatDecimal, parseDecimal, type Decimal } from '@cambist/money/decimal';
import type { Fee } from '@cambist/money/fee';
import { customerRate, type PriceTerms } from '@cambist/money/quote';
import type { FeeJson, FeeTermsJson } from '#platform/db/json-columns.ts';
import type { PairsTable } from '#platform/db/tables.generated.ts';
import type { Selectable } from 'kysely';
import type { Side } from './store.ts';

type Row = Selectable<PairsTable>;

/** The columns of a price that do not come from its rate. Amounts in minor units. */
export type FeeColumns = Pick<
  Row,
  | 'payout_step'
  | 'receive_fee_fixed'
  | 'receive_fee_max'
  | 'receive_fee_min'
  | 'receive_fee_percent'
  | 'send_fee_fixed'
  | 'send_fee_max'
  | 'send_fee_min'
  | 'send_fee_percent'
>;

/** The columns that make a price. Amounts in minor units. */
export type PriceColumns = FeeColumns &
  Pick<Row, 'margin_absolute' | 'margin_percent' | 'mid_rate' | 'rate_digits' | 'tiers'> & {
    readonly send: { readonly decimals: number };
    readonly receive: { readonly decimals: number };
  };

/** The columns that make a price and its limits. */
export type LimitedPrice = PriceColumns &
  Pick<
    Row,
    'min_send' | 'max_send' | 'day_max_send' | 'month_max_send' | 'rate_min' | 'rate_max'
  > & {
    readonly send: Pick<Side, 'decimals' | 'unit' | 'min_send' | 'max_send'>;
    readonly receive: Pick<Side, 'decimals' | 'unit' | 'min_receive' | 'max_receive'>;
  };

/** Null without a mid rate. The rate may be zero or negative where the margins exceed it. */
export function terms(price: PriceColumns): PriceTerms | null {
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
    ...readFeeTerms(feeTermsOf(price)),
  };
}

/** The fees and the payout step, as an exchange stores them. */
export function feeTermsOf(price: FeeColumns): FeeTermsJson {
  const text = (minor: bigint | null) => (minor === null ? null : String(minor));
  return {
    send: {
      fixed: String(price.send_fee_fixed),
      percent: price.send_fee_percent,
      min: text(price.send_fee_min),
      max: text(price.send_fee_max),
    },
    receive: {
      fixed: String(price.receive_fee_fixed),
      percent: price.receive_fee_percent,
      min: text(price.receive_fee_min),
      max: text(price.receive_fee_max),
    },
    step: String(price.payout_step ?? 1n),
  };
}

export function readFeeTerms({
  send,
  receive,
  step,
}: FeeTermsJson): Pick<PriceTerms, 'sendFee' | 'receiveFee' | 'payoutStep'> {
  const minor = (text: string | null) => (text === null ? null : BigInt(text));
  const fee = ({ fixed, percent, min, max }: FeeJson): Fee => ({
    fixed: BigInt(fixed),
    percent: parseDecimal(percent),
    min: minor(min),
    max: minor(max),
  });
  return { sendFee: fee(send), receiveFee: fee(receive), payoutStep: BigInt(step) };
}

/** Percent from `before` to `now`, rounded half up to two decimals: `"-0.42"`. */
export function percentChange(before: Decimal, now: Decimal): string {
  const scale = Math.max(before.scale, now.scale);
  const at = ({ units, scale: own }: Decimal) => units * 10n ** BigInt(scale - own);
  const [from, to] = [at(before), at(now)];
  const doubled = (to - from) * 20_000n + from;
  const units = doubled / (2n * from) - (doubled < 0n && doubled % (2n * from) !== 0n ? 1n : 0n);
  return formatDecimal({ units, scale: 2 });
}
