/**
 * The price of one pair and one amount, whether it may be quoted, and the lines
 * that a person redoes. Pure; the arithmetic is packages/money's, the same that
 * the browser ran, and the terms are the pair's. The editor's preview, a quote
 * and the exchange made of it all come this way.
 */
import type { Breakdown } from '@cambist/contract/quotes';
import type { PublicCurrency } from '@cambist/contract/currencies';
import { formatAmount, parseAmount } from '@cambist/money/amount';
import {
  formatDecimal,
  MoneyError,
  parseDecimal,
  roundDown,
  shortest,
} from '@cambist/money/decimal';
import { quoteReceive, quoteSend, type Quote } from '@cambist/money/quote';
import { invalid, Refusal } from '#kernel/refusal.ts';
import { spokenTime } from '#kernel/spoken-time.ts';
import { sendLimits, terms, type Limited, type Price } from './price.ts';
import { isSwitchedOn, type Standing } from './state.ts';
import type { PairRow, Side } from './store.ts';

/** @throws Refusal 409 `pair_unavailable` when it is switched off on any level */
export function requireSwitchedOn(pair: PairRow): void {
  if (!isSwitchedOn(pair)) throw unavailable();
}

/** What a customer hears instead of a quote: 409 `pair_unavailable`, 503 `rates_stale`; else null. */
export function quoteRefusal(
  { mid_as_of }: Pick<PairRow, 'mid_as_of'>,
  { state, checking, opensAt }: Standing,
  timeZone: string,
): Refusal | null {
  switch (state) {
    case 'live':
    case 'delayed':
      return null;
    case 'stale': {
      if (checking)
        return new Refusal(
          503,
          'rates_stale',
          'The rate of this direction has moved so far that we are checking it. Please try again later.',
        );
      const last = mid_as_of ? ` The last one is from ${spokenTime(mid_as_of, timeZone)}.` : '';
      return new Refusal(
        503,
        'rates_stale',
        `There is no recent rate for this direction.${last} Please try again later.`,
      );
    }
    case 'closed': {
      const opens = opensAt ? ` It opens on ${spokenTime(opensAt, timeZone)}.` : '';
      return new Refusal(409, 'pair_unavailable', `This direction is closed now.${opens}`);
    }
    case 'paused':
      return unavailable();
  }
}

function unavailable(): Refusal {
  return new Refusal(409, 'pair_unavailable', 'This direction is not available at the moment.');
}

/**
 * Prices `amount` (major units, as the customer wrote it) from either side,
 * whatever the limits and the state of the pair.
 * @throws Refusal 422 on `amount`, 409 `pair_unavailable` without a rate
 */
export function priceOf(
  pair: Price & Record<'send' | 'receive', Pick<Side, 'decimals'>>,
  side: 'send' | 'receive',
  amount: string,
): Quote {
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
export function brokenLimit(
  pair: Limited & Pick<PairRow, 'send'>,
  sendMinor: bigint,
): string | null {
  const limits = sendLimits(pair);
  if (limits === null) return 'No amount can be exchanged in this direction.';
  if (sendMinor < limits.min) return `You must send at least ${withUnit(limits.min, pair.send)}.`;
  for (const [limit, window] of windowsOf(pair))
    if (limit !== null && limit === limits.max && sendMinor > limit)
      return `You can send at most ${withUnit(limit, pair.send)} in ${window} in this direction.`;
  if (sendMinor > limits.max)
    return `You can send at most ${withUnit(limits.max, pair.send)} at a time.`;
  return null;
}

type Windowed = Pick<PairRow, 'day_max_send' | 'month_max_send'>;

function windowsOf(pair: Windowed) {
  return [
    [pair.day_max_send, '24 hours'],
    [pair.month_max_send, '30 days'],
  ] as const;
}

/** What one person has sent in this direction already, in minor units. */
export interface Sent {
  readonly day: bigint;
  readonly month: bigint;
}

/** Which limit of a day or a month an amount breaks for somebody who has sent that much; else null. */
export function brokenVolume(
  pair: Windowed & Pick<PairRow, 'send'>,
  sent: Sent,
  sendMinor: bigint,
): string | null {
  const used = [sent.day, sent.month];
  for (const [index, [limit, window]] of windowsOf(pair).entries()) {
    const before = used[index] ?? 0n;
    if (limit === null || before + sendMinor <= limit) continue;
    const left = limit > before ? limit - before : 0n;
    return `You can send ${withUnit(limit, pair.send)} in ${window} in this direction; ${withUnit(left, pair.send)} of it are left.`;
  }
  return null;
}

/**
 * The same for amounts that were priced before, whatever the rate is now: the
 * limits of the pair and of both currencies, each for its own side.
 */
export function brokenPromise(
  { send, receive, ...pair }: Pick<PairRow, 'send' | 'receive' | 'min_send' | 'max_send'>,
  { send_minor, payout_minor }: Pick<Figures, 'send_minor' | 'payout_minor'>,
): string | null {
  for (const least of [pair.min_send, send.min_send]) {
    if (least !== null && send_minor < least)
      return `You must send at least ${withUnit(least, send)}.`;
  }
  for (const most of [pair.max_send, send.max_send]) {
    if (most !== null && send_minor > most)
      return `You can send at most ${withUnit(most, send)} at a time.`;
  }
  const { min_receive, max_receive } = receive;
  if (min_receive !== null && payout_minor < min_receive)
    return `At least ${withUnit(min_receive, receive)} must be paid out.`;
  if (max_receive !== null && payout_minor > max_receive)
    return `At most ${withUnit(max_receive, receive)} can be paid out at a time.`;
  return null;
}

/** `500.00 USD`: for sentences; screens format for their locale. */
export function withUnit(minor: bigint, currency: PublicCurrency): string {
  return `${formatAmount(minor, currency.decimals)} ${currency.unit}`;
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
}

type FiguredPair = Pick<
  PairRow,
  | 'rate_digits'
  | 'mid_rate'
  | 'mid_source'
  | 'mid_as_of'
  | 'margin_absolute'
  | 'margin_percent'
  | 'tiers'
>;

/** What a quote is made of at this moment: the one way from a price to the figures of an exchange. */
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
    // No rate is newer than the moment it is used at, whatever two clocks say.
    mid_as_of: pair.mid_as_of && pair.mid_as_of > now ? now : pair.mid_as_of,
    mid_value_minor: priced.midValue,
    margin_percent: marginAt(pair, priced.send),
    margin_absolute: pair.margin_absolute,
  };
}

/** The lines that a person redoes; the rate with just the digits that were used. */
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
    rate: shownRate(price),
    gross_amount: received(price.gross_minor),
    receive_fee: received(price.receive_fee_minor),
    // Whatever the fee leaves of the gross and is not paid out fell below the payout's step.
    rounding: received(price.gross_minor - price.receive_fee_minor - price.payout_minor),
    receive_amount: received(price.payout_minor),
    mid_rate: price.mid_rate === null ? null : shortest(price.mid_rate),
    mid_source: price.mid_source,
    mid_as_of: price.mid_as_of?.toISOString() ?? null,
    margin_percent: shortest(price.margin_percent),
    margin_absolute: shortest(price.margin_absolute),
  };
}

/** The database keeps 18 decimals; the customer's rate has as many as it was rounded to. */
export function shownRate({ rate, rate_digits }: Pick<Figures, 'rate' | 'rate_digits'>): string {
  return formatDecimal(roundDown(parseDecimal(rate), rate_digits));
}
