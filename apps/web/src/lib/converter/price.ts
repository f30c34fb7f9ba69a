/**
 * Calculates prices in the browser with the API's own arithmetic, so that they equal the quote.
 * Amounts are canonical decimal strings.
 */
import type { PublicCurrency } from '@cambist/contract/currencies';
import type { CustomerLimits } from '@cambist/contract/pair-terms';
import type { ConverterCurrency, ConverterPair } from '@cambist/contract/pairs';
import { formatAmount, parseAmount } from '@cambist/money/amount';
import { MoneyError } from '@cambist/money/decimal';
import {
  quoteReceive,
  quoteSend,
  quoteWithin,
  pairTerms,
  writeQuote,
  type PriceTerms,
  type Quote,
  type WireQuote,
} from '@cambist/money/quote';
import { readFigure } from '#lib/format/figure.ts';

export type Side = 'send' | 'receive';

export interface ConverterData {
  currencies: ConverterCurrency[];
  pairs: ConverterPair[];
  customer_limits: CustomerLimits;
}

/** A pair with both currencies. */
export interface Direction {
  send: PublicCurrency;
  receive: ConverterCurrency;
  pair: ConverterPair;
}

export type Price =
  | { kind: 'empty' }
  | { kind: 'price'; quote: WireQuote; trouble: Limit | null }
  | { kind: 'trouble'; trouble: Trouble };

/** An amount outside the limits has a price, but no quote. */
export interface Limit {
  /** `no_reserve`: not even the least amount can be paid out. */
  code: 'below_min' | 'above_max' | 'above_reserve' | 'no_reserve';
  /** The nearest possible: to send, and above the reserve to receive. */
  amount: string;
  unit: string;
}

export interface Trouble {
  code: 'too_many_decimals' | 'too_small' | 'too_large' | 'unreadable';
  decimals: number;
  unit: string;
}

export function currencyOf(data: ConverterData, slug: string): ConverterCurrency | undefined {
  return data.currencies.find((currency) => currency.slug === slug);
}

/** Undefined when the desk has no such pair. */
export function directionOf(data: ConverterData, pairSlug: string): Direction | undefined {
  const pair = data.pairs.find(({ slug }) => slug === pairSlug);
  const send = pair && currencyOf(data, pair.send);
  const receive = pair && currencyOf(data, pair.receive);
  return pair && send && receive ? { pair, send, receive } : undefined;
}

export function findPair(
  data: ConverterData,
  send: string,
  receive: string,
): ConverterPair | undefined {
  return data.pairs.find((pair) => pair.send === send && pair.receive === receive);
}

/**
 * The currencies that can be sent, in the desk's order; below, those that can be received for one.
 */
export function sendChoices(data: ConverterData): PublicCurrency[] {
  const offered = new Set(data.pairs.map((pair) => pair.send));
  return data.currencies.filter(({ slug }) => offered.has(slug));
}

export function receiveChoices(data: ConverterData, send: string): PublicCurrency[] {
  const offered = new Set(
    data.pairs.filter((pair) => pair.send === send).map((pair) => pair.receive),
  );
  return data.currencies.filter(({ slug }) => offered.has(slug));
}

/**
 * The direction after one side was chosen: keeps the other side if there is such a pair, swaps if
 * both sides are the same, else takes the first pair.
 */
export function choose(data: ConverterData, now: Direction, side: Side, slug: string): Direction {
  const other = side === 'send' ? now.receive.slug : now.send.slug;
  const wanted = side === 'send' ? findPair(data, slug, other) : findPair(data, other, slug);
  const swapped = slug === other ? findPair(data, now.receive.slug, now.send.slug) : undefined;
  const any = data.pairs.find((pair) => (side === 'send' ? pair.send : pair.receive) === slug);
  const pair = wanted ?? swapped ?? any;
  return (pair && directionOf(data, pair.slug)) ?? now;
}

/** The price of `amount` on this side, or why there is none. */
export function priceOf({ pair, send, receive }: Direction, side: Side, amount: string): Price {
  if (amount === '') return { kind: 'empty' };
  const currency = side === 'send' ? send : receive;
  try {
    const terms = pairTerms(pair, send, receive);
    const minor = parseAmount(amount, currency.decimals);
    if (minor === 0n) return { kind: 'empty' };
    const quote = side === 'send' ? quoteSend(terms, minor) : quoteReceive(terms, minor);
    return {
      kind: 'price',
      quote: writeQuote(quote, terms),
      trouble: limitOf(quote, terms, { pair, send, receive }),
    };
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    const trouble = { code: troubleCode(error), decimals: currency.decimals, unit: currency.unit };
    return { kind: 'trouble', trouble };
  }
}

/** Whether the desk gives new quotes for this pair. */
export function isQuotable({ state }: Pick<ConverterPair, 'state'>): boolean {
  return state === 'live' || state === 'delayed';
}

/** The rate of the price; without a price that of small amounts. */
export function rateOf({ pair }: Direction, price: Price): string {
  return price.kind === 'price' ? price.quote.rate : pair.rate;
}

export function isAboveReserve(trouble: Limit | Trouble | null): trouble is Limit {
  return trouble?.code === 'above_reserve' || trouble?.code === 'no_reserve';
}

function limitOf(
  quote: Quote,
  terms: PriceTerms,
  { pair, send, receive }: Direction,
): Limit | null {
  const { decimals, unit } = send;
  const min = parseAmount(pair.min, decimals);
  const max = parseAmount(pair.max, decimals);
  const reserve = parseAmount(receive.reserve, receive.decimals);
  // Of a capped reserve there is more than is known here: the quote decides.
  if (quote.payout > reserve && !receive.reserve_capped) {
    const most = quoteWithin(terms, reserve);
    if (most === null || most.send < min)
      return { code: 'no_reserve', amount: '', unit: receive.unit };
    const amount = formatAmount(most.payout, receive.decimals);
    if (most.send < max) return { code: 'above_reserve', amount, unit: receive.unit };
  }
  if (quote.send < min) return { code: 'below_min', amount: formatAmount(min, decimals), unit };
  if (quote.send > max) return { code: 'above_max', amount: formatAmount(max, decimals), unit };
  return null;
}

function troubleCode({ code }: MoneyError): Trouble['code'] {
  if (code === 'too_many_decimals') return 'too_many_decimals';
  if (code === 'amount_too_small') return 'too_small';
  if (code === 'amount_too_large' || code === 'too_many_digits') return 'too_large';
  return 'unreadable';
}

/** The path of a new exchange with these amounts; guests go through sign-up. */
export function exchangePath(
  pairSlug: string,
  side: Side,
  amount: string,
  signedIn: boolean,
): string {
  const query = new URLSearchParams({ pair: pairSlug, side, amount });
  const path = `/preview?${query}`;
  return signedIn ? path : `/signup?next=${encodeURIComponent(path)}`;
}

/** The state in the query; the first pair otherwise. */
export function stateFromQuery(
  data: ConverterData,
  query: URLSearchParams,
): { direction: Direction; side: Side; amount: string } | null {
  const named = directionOf(data, query.get('pair') ?? '');
  const chosen = findPair(data, query.get('send') ?? '', query.get('receive') ?? '');
  const direction =
    (chosen && directionOf(data, chosen.slug)) ??
    named ??
    directionOf(data, data.pairs[0]?.slug ?? '');
  if (direction === undefined) return null;
  const entered = enteredIn(query);
  const amount = entered.amount ?? (entered.side === 'send' ? opening(direction) : '');
  return { direction, side: entered.side, amount };
}

/**
 * The side and the canonical amount in the query; the amount is null when invalid. Without script
 * the form sends both amounts as text: `other_amount` counts when it was changed.
 */
function enteredIn(query: URLSearchParams): { side: Side; amount: string | null } {
  const side: Side = query.get('side') === 'receive' ? 'receive' : 'send';
  const other = query.get('other_amount') ?? '';
  const turned = other !== '' && other !== query.get('other_shown');
  const written = turned ? other : (query.get('amount') ?? '');
  const canonical = /^\d{1,30}(\.\d{1,18})?$/;
  const read = canonical.test(written) ? written : (readFigure(written, 'en') ?? '');
  const amount = canonical.test(read) ? read : null;
  return { side: turned ? (side === 'send' ? 'receive' : 'send') : side, amount };
}

/** A round amount within the limits, to start with. */
function opening({ pair, send }: Direction): string {
  const min = parseAmount(pair.min, send.decimals);
  const max = parseAmount(pair.max, send.decimals);
  const ten = min * 10n;
  return formatAmount(ten < max ? roundUpToLeadingDigit(ten) : min, send.decimals);
}

function roundUpToLeadingDigit(minor: bigint): bigint {
  const step = 10n ** BigInt(minor.toString().length - 1);
  return ((minor + step - 1n) / step) * step;
}
