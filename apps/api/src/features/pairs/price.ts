/**
 * Pure: what a pair's figures amount to. The one place where a row becomes the
 * terms of packages/money, where the limits of a pair and of its two currencies
 * become one range, and where an editor hears which figures cannot work.
 */
import { formatAmount } from '@cambist/money/amount';
import {
  compare,
  formatDecimal,
  MoneyError,
  parseDecimal,
  trimZeros,
  zero,
  type Decimal,
} from '@cambist/money/decimal';
import type { Fee } from '@cambist/money/fee';
import { customerRate, quoteReceive, quoteSend, type PriceTerms } from '@cambist/money/quote';
import type { FieldErrors } from '#kernel/amount-field.ts';
import type { PairsTable } from '#platform/money-tables.ts';
import type { Selectable } from 'kysely';
import type { Side } from './store.ts';

type Row = Selectable<PairsTable>;

/** What a price is made of; a pair's row with its currencies has it all. Amounts in minor units. */
export type Price = Pick<
  Row,
  | 'margin_percent'
  | 'mid_rate'
  | 'rate_digits'
  | 'receive_fee_fixed'
  | 'receive_fee_percent'
  | 'send_fee_fixed'
  | 'send_fee_percent'
> & {
  readonly send: { readonly decimals: number };
  readonly receive: { readonly decimals: number };
};

export type Limited = Price &
  Pick<Row, 'min_send' | 'max_send'> & {
    readonly send: Pick<Side, 'decimals' | 'unit' | 'min_send' | 'max_send'>;
    readonly receive: Pick<Side, 'decimals' | 'unit' | 'min_receive' | 'max_receive'>;
  };

/** Null without a mid rate. The rate may be zero or less where the figures allow no price. */
export function terms(price: Price): PriceTerms | null {
  if (price.mid_rate === null) return null;
  const mid = parseDecimal(price.mid_rate);
  return {
    sendDecimals: price.send.decimals,
    receiveDecimals: price.receive.decimals,
    rate: customerRate(mid, parseDecimal(price.margin_percent), zero, price.rate_digits),
    tiers: [],
    mid,
    sendFee: {
      fixed: price.send_fee_fixed,
      percent: parseDecimal(price.send_fee_percent),
      min: null,
      max: null,
    },
    receiveFee: {
      fixed: price.receive_fee_fixed,
      percent: parseDecimal(price.receive_fee_percent),
      min: null,
      max: null,
    },
    payoutStep: 1n,
  };
}

/**
 * The least and the most that can be sent, in minor units: the tightest of the
 * pair's limits and of both currencies', those of the receive side expressed in
 * the send currency, and enough that something is paid out. Null where nothing is
 * left between them, or without a price.
 */
export function sendLimits(pair: Limited): { min: bigint; max: bigint } | null {
  const priced = terms(pair);
  if (priced === null || priced.rate.units <= 0n) return null;
  const { send, receive } = pair;
  // A payout never falls as the send rises, so the least send for a payout marks
  // both ends: up to one unit before it is the most send for any payout below.
  const leastFor = (payout: bigint) => leastSend(priced, payout);
  const min = largest(pair.min_send, send.min_send, leastFor(receive.min_receive ?? 1n));
  const above = receive.max_receive === null ? null : leastFor(receive.max_receive + 1n);
  const max = smallest(pair.max_send, send.max_send, above === null ? null : above - 1n);
  if (min === null || min > max || leastFor(receive.min_receive ?? 1n) === null) return null;
  return { min, max };
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

/** Sentences by field for figures with which the pair could not be used. */
export function priceErrors(pair: Limited): FieldErrors {
  const { send, min_send, max_send } = pair;
  const errors = rangeErrors(pair);
  const priced = terms(pair);
  if (priced === null || Object.keys(errors).length > 0) return errors;
  if (priced.rate.units <= 0n) {
    const digits = `${pair.rate_digits} digit${pair.rate_digits === 1 ? '' : 's'}`;
    return {
      rate_digits: `With ${digits} after the point the customer's rate would be zero. Use more digits.`,
    };
  }
  const amount = (minor: bigint) => `${formatAmount(minor, send.decimals)} ${send.unit}`;
  if (refusal(priced, min_send) === 'amount_too_small') {
    errors['min_send'] = tooSmall(pair, priced, amount(min_send));
  }
  if (refusal(priced, max_send) === 'amount_too_large') {
    errors['max_send'] =
      `At ${amount(max_send)} the payout would be larger than the desk can count.`;
  }
  if (Object.keys(errors).length === 0 && sendLimits(pair) === null) {
    errors['max_send'] = "No amount keeps both the pair's and the two currencies' limits.";
  }
  return errors;
}

const free: Fee = { fixed: 0n, percent: zero, min: null, max: null };

/** Why nothing is left of the minimum: the fees, or the rate, which without any fee pays nothing either. */
function tooSmall({ min_send, receive }: Limited, priced: PriceTerms, amount: string): string {
  const withoutFees = { ...priced, sendFee: free, receiveFee: free };
  if (refusal(withoutFees, min_send) === null)
    return `At ${amount} the fees leave nothing to pay out. Raise the minimum or lower the fees.`;
  const least = `${formatAmount(1n, receive.decimals)} ${receive.unit}`;
  return `${amount} is worth less than ${least}, the least that can be paid out. Raise the minimum.`;
}

function rangeErrors({
  margin_percent,
  send_fee_percent,
  receive_fee_percent,
  ...pair
}: Limited): FieldErrors {
  const errors: FieldErrors = {};
  const fifty = parseDecimal('50');
  const percentages = {
    margin_percent,
    'send_fee.percent': send_fee_percent,
    'receive_fee.percent': receive_fee_percent,
  };
  for (const [field, text] of Object.entries(percentages)) {
    const least = field === 'margin_percent' ? parseDecimal('-50') : parseDecimal('0');
    const percent = parseDecimal(text);
    if (trimZeros(percent).scale > 6)
      errors[field] = `The ${field} field must have at most 6 decimals.`;
    else if (compare(percent, least) < 0 || compare(percent, fifty) > 0) {
      errors[field] = `The ${field} field must be between ${formatDecimal(least)} and 50.`;
    }
  }
  if (pair.mid_rate !== null && parseDecimal(pair.mid_rate).units <= 0n) {
    errors['mid_rate'] = 'The mid_rate field must be above zero.';
  }
  if (pair.min_send <= 0n) errors['min_send'] = 'The min_send field must be above zero.';
  else if (pair.max_send < pair.min_send)
    errors['max_send'] = 'The max_send field must not be below min_send.';
  return errors;
}

function refusal(priced: PriceTerms, send: bigint): string | null {
  try {
    quoteSend(priced, send);
    return null;
  } catch (error) {
    if (error instanceof MoneyError) return error.code;
    throw error;
  }
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

/** A stored decimal without the zeros that its column adds. */
export function shortest(decimal: string): string {
  return formatDecimal(trimZeros(parseDecimal(decimal)));
}
