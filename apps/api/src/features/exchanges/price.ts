/**
 * The price of one pair and one amount, whether the limits allow it, and the
 * lines that a person redoes. Pure; the arithmetic is packages/money's, the same
 * that the browser ran, and the terms are the pair's.
 */
import type { Breakdown } from '@cambist/contract/quotes';
import type { PublicCurrency } from '@cambist/contract/currencies';
import { formatAmount, parseAmount } from '@cambist/money/amount';
import {
  formatDecimal,
  MoneyError,
  parseDecimal,
  roundDown,
  trimZeros,
} from '@cambist/money/decimal';
import { quoteReceive, quoteSend, type Quote } from '@cambist/money/quote';
import { invalid, Refusal } from '#kernel/refusal.ts';
import { isOpen, sendLimits, terms, type PairRow } from '#features/pairs/pairs.ts';
import type { QuotedPrice } from './quote-token.ts';

/** @throws Refusal 409 `pair_unavailable` when it is switched off on any level or has no rate */
export function requireOpen(pair: PairRow): void {
  if (!isOpen(pair)) throw unavailable();
}

function unavailable(): Refusal {
  return new Refusal(409, 'pair_unavailable', 'This direction is not available at the moment.');
}

/**
 * Prices `amount` (major units, as the customer wrote it) from either side.
 * @throws Refusal 422 on `amount`, 409 `pair_unavailable`
 */
export function priceOf(pair: PairRow, side: 'send' | 'receive', amount: string): Quote {
  requireOpen(pair);
  const priced = terms(pair);
  if (priced === null) throw unavailable();
  const { decimals } = pair[side];
  try {
    const minor = parseAmount(amount, decimals);
    return side === 'send' ? quoteSend(priced, minor) : quoteReceive(priced, minor);
  } catch (error) {
    throw asRefusal(error, decimals);
  }
}

function asRefusal(error: unknown, decimals: number): unknown {
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
      // The pair's own figures price nothing: the desk's mistake, not the customer's.
      return unavailable();
  }
}

/** The margin in percent of the tier that an amount falls into, which the whole amount has. */
export function marginAt(
  { tiers, margin_percent }: Pick<PairRow, 'tiers' | 'margin_percent'>,
  sendMinor: bigint,
): string {
  return tiers.findLast(({ from }) => BigInt(from) <= sendMinor)?.margin_percent ?? margin_percent;
}

/** Which limit an amount breaks, as a sentence; null when it keeps all of them. */
export function brokenLimit(pair: PairRow, sendMinor: bigint): string | null {
  const limits = sendLimits(pair);
  if (limits === null) return 'No amount can be exchanged in this direction.';
  if (sendMinor < limits.min) return `You must send at least ${withUnit(limits.min, pair.send)}.`;
  if (sendMinor > limits.max)
    return `You can send at most ${withUnit(limits.max, pair.send)} at a time.`;
  return null;
}

/** `500.00 USD`: for sentences; screens format for their locale. */
export function withUnit(minor: bigint, currency: PublicCurrency): string {
  return `${formatAmount(minor, currency.decimals)} ${currency.unit}`;
}

type Figures = Pick<
  QuotedPrice,
  | 'send_minor'
  | 'send_fee_minor'
  | 'rate'
  | 'rate_digits'
  | 'gross_minor'
  | 'receive_fee_minor'
  | 'payout_minor'
  | 'mid_rate'
  | 'mid_source'
  | 'mid_as_of'
  | 'margin_percent'
  | 'margin_absolute'
>;

/** The lines that a person redoes; the rate with just the digits that were used. */
export function breakdownOf(
  price: Figures,
  currencies: { readonly send: PublicCurrency; readonly receive: PublicCurrency },
): Breakdown {
  const sent = (minor: bigint) => formatAmount(minor, currencies.send.decimals);
  const received = (minor: bigint) => formatAmount(minor, currencies.receive.decimals);
  return {
    send_amount: sent(price.send_minor),
    send_fee: sent(price.send_fee_minor),
    exchanged_amount: sent(price.send_minor - price.send_fee_minor),
    rate: shownRate(price),
    gross_amount: received(price.gross_minor),
    receive_fee: received(price.receive_fee_minor),
    // Whatever the fee leaves of the gross and is not paid out fell below the payout's step.
    rounding: received(price.gross_minor - price.receive_fee_minor - price.payout_minor),
    receive_amount: received(price.payout_minor),
    mid_rate: price.mid_rate === null ? null : trimmed(price.mid_rate),
    mid_source: price.mid_source,
    mid_as_of: price.mid_as_of?.toISOString() ?? null,
    margin_percent: trimmed(price.margin_percent),
    margin_absolute: trimmed(price.margin_absolute),
  };
}

/** The database keeps 18 decimals; the customer's rate has as many as it was rounded to. */
export function shownRate({ rate, rate_digits }: Pick<Figures, 'rate' | 'rate_digits'>): string {
  return formatDecimal(roundDown(parseDecimal(rate), rate_digits));
}

function trimmed(decimal: string): string {
  return formatDecimal(trimZeros(parseDecimal(decimal)));
}
