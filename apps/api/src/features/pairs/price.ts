/** Pure: the price of one amount in one pair, used by previews, quotes and exchanges alike. */
import type { Breakdown } from '@cambist/contract/quotes';
import type { PublicCurrency } from '@cambist/contract/currencies';
import { formatAmount, parseAmount } from '@cambist/money/amount';
import {
  floorDivide,
  formatDecimal,
  MoneyError,
  parseDecimal,
  roundDown,
  shortest,
  tenTo,
} from '@cambist/money/decimal';
import { quoteReceive, quoteSend, type PriceTerms, type Quote } from '@cambist/money/quote';
import { invalid } from '#kernel/refusal.ts';
import type { FeeTermsJson } from '#platform/db/json-columns.ts';
import { pairUnavailable } from './state.ts';
import type { PairRow, Side } from './store.ts';
import { feeTermsOf, readFeeTerms, terms, type FeeColumns, type PriceColumns } from './terms.ts';

/**
 * Prices `amount` (major units) from either side. Checks neither limits nor the pair's state.
 * @throws Refusal 422 on `amount`, 409 `pair_unavailable` without a rate
 */
export function priceOf(
  pair: PriceColumns & Record<'send' | 'receive', Pick<Side, 'decimals'>>,
  side: 'send' | 'receive',
  amount: string,
): Quote {
  const priced = terms(pair);
  if (priced === null) throw pairUnavailable();
  const { decimals } = pair[side];
  try {
    const minor = parseAmount(amount, decimals);
    return side === 'send' ? quoteSend(priced, minor) : quoteReceive(priced, minor);
  } catch (error) {
    throw amountRefusal(error, decimals);
  }
}

function amountRefusal(error: unknown, decimals: number): unknown {
  if (!(error instanceof MoneyError)) return error;
  switch (error.code) {
    case 'too_many_decimals':
      return invalid({
        amount:
          decimals === 0
            ? 'The amount must be a whole number.'
            : `The amount must have at most ${decimals} decimals.`,
      });
    case 'amount_too_small':
      return invalid({ amount: 'The amount is too small: nothing would be paid out.' });
    case 'amount_too_large':
    case 'too_many_digits':
      return invalid({ amount: 'The amount is too large.' });
    case 'not_a_decimal':
      return invalid({ amount: 'The amount must be a number.' });
    default:
      // The pair's own terms are invalid: the desk's mistake, not the customer's.
      return pairUnavailable();
  }
}

/** Percentages are shown with four decimals. */
const PERCENT_SCALE = 4;

/** The margin of the tier that an amount falls into; it applies to the whole amount. */
export function marginAt(
  { tiers, margin_percent }: Pick<PairRow, 'tiers' | 'margin_percent'>,
  sendMinor: bigint,
): string {
  return tiers.findLast(({ from }) => BigInt(from) <= sendMinor)?.margin_percent ?? margin_percent;
}

/** Amounts in minor units; rates and percentages as decimal strings. */
export interface Figures {
  readonly send_minor: bigint;
  readonly send_fee_minor: bigint;
  readonly rate: string;
  readonly rate_digits: number;
  readonly gross_minor: bigint;
  readonly receive_fee_minor: bigint;
  readonly payout_minor: bigint;
  readonly mid_rate: string | null;
  readonly mid_source: string | null;
  readonly mid_as_of: Date | null;
  readonly mid_value_minor: bigint | null;
  readonly margin_percent: string;
  readonly margin_absolute: string;
  readonly fee_terms: FeeTermsJson;
}

type FiguredPair = FeeColumns &
  Pick<
    PairRow,
    | 'rate_digits'
    | 'mid_rate'
    | 'mid_source'
    | 'mid_as_of'
    | 'margin_absolute'
    | 'margin_percent'
    | 'tiers'
  >;

/** The figures that a quote and its exchange store. */
export function figuresOf(pair: FiguredPair, priced: Quote, now: Date): Figures {
  return {
    send_minor: priced.send,
    send_fee_minor: priced.sendFee,
    rate: formatDecimal(priced.rate),
    rate_digits: pair.rate_digits,
    gross_minor: priced.gross,
    receive_fee_minor: priced.receiveFee,
    payout_minor: priced.payout,
    mid_rate: pair.mid_rate,
    mid_source: pair.mid_source,
    // Clocks differ: a rate must not be newer than its use.
    mid_as_of: pair.mid_as_of && pair.mid_as_of > now ? now : pair.mid_as_of,
    mid_value_minor: priced.midValue,
    margin_percent: marginAt(pair, priced.send),
    margin_absolute: pair.margin_absolute,
    fee_terms: feeTermsOf(pair),
  };
}

/**
 * The figures of another send amount at the rate and fees that were frozen at the creation.
 * @throws Refusal 422 on `received_amount` where nothing would be paid out
 */
export function recalculated(
  frozen: Figures & Record<'send' | 'receive', Pick<Side, 'decimals'>>,
  sendMinor: bigint,
): Figures {
  const rate = parseDecimal(frozen.rate);
  const locked: PriceTerms = {
    sendDecimals: frozen.send.decimals,
    receiveDecimals: frozen.receive.decimals,
    rate,
    tiers: [],
    mid: frozen.mid_rate === null ? null : parseDecimal(frozen.mid_rate),
    ...readFeeTerms(frozen.fee_terms),
  };
  const priced = payable(() => quoteSend(locked, sendMinor));
  return {
    send_minor: priced.send,
    send_fee_minor: priced.sendFee,
    rate: frozen.rate,
    rate_digits: frozen.rate_digits,
    gross_minor: priced.gross,
    receive_fee_minor: priced.receiveFee,
    payout_minor: priced.payout,
    mid_rate: frozen.mid_rate,
    mid_source: frozen.mid_source,
    mid_as_of: frozen.mid_as_of,
    mid_value_minor: priced.midValue,
    margin_percent: frozen.margin_percent,
    margin_absolute: frozen.margin_absolute,
    fee_terms: frozen.fee_terms,
  };
}

/**
 * The figures of an amount at the pair's terms of now.
 * @throws Refusal 409 `pair_unavailable` without a rate; 422 on `received_amount` where nothing
 *   would be paid out
 */
export function repriced(pair: PriceColumns & FiguredPair, sendMinor: bigint, now: Date): Figures {
  const priced = terms(pair);
  if (priced === null) throw pairUnavailable();
  return figuresOf(
    pair,
    payable(() => quoteSend(priced, sendMinor)),
    now,
  );
}

function payable(price: () => Quote): Quote {
  try {
    return price();
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    const sentence = 'Nothing could be paid out for what was received: refund it.';
    throw invalid({ received_amount: sentence });
  }
}

/** Every line of the calculation, so that a customer can redo it. */
export function breakdownOf(
  price: Omit<Figures, 'mid_value_minor'>,
  currencies: { readonly send: PublicCurrency; readonly receive: PublicCurrency },
): Breakdown {
  const sent = (minor: bigint) => formatAmount(minor, currencies.send.decimals);
  const received = (minor: bigint) => formatAmount(minor, currencies.receive.decimals);
  return {
    send_amount: sent(price.send_minor),
    send_fee: sent(price.send_fee_minor),
    exchanged_amount: sent(price.send_minor - price.send_fee_minor),
    rate: displayRate(price),
    gross_amount: received(price.gross_minor),
    receive_fee: received(price.receive_fee_minor),
    // Cut off by the payout step.
    rounding: received(price.gross_minor - price.receive_fee_minor - price.payout_minor),
    receive_amount: received(price.payout_minor),
    mid_rate: price.mid_rate === null ? null : shortest(price.mid_rate),
    mid_source: price.mid_source,
    mid_as_of: price.mid_as_of?.toISOString() ?? null,
    margin_percent: shortest(price.margin_percent),
    margin_absolute: shortest(price.margin_absolute),
  };
}

/** The rate with the digits it was rounded to; the database stores 18. */
export function displayRate({ rate, rate_digits }: Pick<Figures, 'rate' | 'rate_digits'>): string {
  return formatDecimal(roundDown(parseDecimal(rate), rate_digits));
}

/**
 * The desk's earnings on one quote at the mid rate: amounts in major units, the percentage of the
 * amount sent, all rounded down. Null without a mid rate.
 */
export function deskMargin(quote: Quote, { mid, sendDecimals, receiveDecimals }: PriceTerms) {
  if (mid === null) return null;
  // The amount sent at the mid rate, in receive minor units, as an exact fraction.
  const value = quote.send * mid.units * tenTo(receiveDecimals);
  const whole = tenTo(sendDecimals + mid.scale);
  const gain = value - quote.payout * whole;
  const toReceive = (units: bigint) => formatDecimal({ units, scale: receiveDecimals });
  return {
    percent: formatDecimal({
      units: floorDivide(gain * 100n * tenTo(PERCENT_SCALE), value),
      scale: PERCENT_SCALE,
    }),
    send_fee: formatAmount(quote.sendFee, sendDecimals),
    receive_fee: formatAmount(quote.receiveFee, receiveDecimals),
    spread: toReceive(quote.spread),
    total: toReceive(floorDivide(gain, whole)),
  };
}
