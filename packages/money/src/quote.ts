/**
 * The price of one pair and one amount, computed alike in the browser and on
 * the server (whose answer stands). Three roundings and no others: the
 * customer's rate once, down, to the pair's digits; each fee up to its
 * currency's decimals; the payout down. Whoever redoes the shown lines gets the
 * shown total. Why so: docs/decisions/0004-money-in-bigint.md.
 */
import { formatAmount, maxMinor, parseAmount } from './amount.ts';
import {
  ceilDivide,
  floorDivide,
  formatDecimal,
  MoneyError,
  multiply,
  parseDecimal,
  roundDown,
  subtract,
  tenTo,
  type Decimal,
} from './decimal.ts';

/** `fixed` in minor units of its side's currency; `percent` from 0 to below 100. */
export interface Fee {
  readonly fixed: bigint;
  readonly percent: Decimal;
}

/** `rate` is the customer's, already rounded; `mid` is null where the desk sets rates by hand. */
export interface PriceTerms {
  readonly sendDecimals: number;
  readonly receiveDecimals: number;
  readonly rate: Decimal;
  readonly mid: Decimal | null;
  readonly sendFee: Fee;
  readonly receiveFee: Fee;
}

/** Minor units: the first three of the send currency, the others of the receive currency. */
export interface Quote {
  readonly send: bigint;
  readonly sendFee: bigint;
  /** `send − sendFee` */
  readonly exchanged: bigint;
  readonly rate: Decimal;
  /** `exchanged × rate`, rounded down */
  readonly gross: bigint;
  readonly receiveFee: bigint;
  /** `gross − receiveFee`: what the customer gets */
  readonly payout: bigint;
  /** `exchanged` at the mid rate, rounded down; null where there is no mid */
  readonly midValue: bigint | null;
  /** `midValue − payout − receiveFee`, rounding included; may be negative; 0 where there is no mid */
  readonly spread: bigint;
}

export interface WireFee {
  readonly fixed: string;
  readonly percent: string;
}

/** `PriceTerms` as the API sends them: amounts in major units, all decimal strings. */
export interface WireTerms {
  readonly send_decimals: number;
  readonly receive_decimals: number;
  readonly rate: string;
  readonly mid_rate: string | null;
  readonly send_fee: WireFee;
  readonly receive_fee: WireFee;
}

/** A quote's shown lines, in major units with each currency's decimals. */
export interface WireQuote {
  readonly send_amount: string;
  readonly send_fee: string;
  readonly exchanged_amount: string;
  readonly rate: string;
  readonly gross_amount: string;
  readonly receive_fee: string;
  readonly receive_amount: string;
}

const hundred: Decimal = { units: 100n, scale: 0 };

/**
 * mid × (1 − margin / 100), rounded down once to exactly `digits` decimals.
 * A margin of 100 or more, or too few digits for a small mid, gives zero or
 * less: quoting refuses such a rate. A negative margin favours the customer.
 */
export function customerRate(mid: Decimal, marginPercent: Decimal, digits: number): Decimal {
  const { units, scale } = multiply(mid, subtract(hundred, marginPercent));
  return roundDown({ units, scale: scale + 2 }, digits);
}

/**
 * The quote for sending `send` minor units.
 * @throws MoneyError `amount_too_small` where the fee takes all of it or the
 *   payout would be below one minor unit; `amount_too_large` where any line
 *   would pass 10^24 major units; `rate_not_positive`, `fee_out_of_range`,
 *   `decimals_out_of_range` for terms that price nothing
 */
export function quoteSend(terms: PriceTerms, send: bigint): Quote {
  checkTerms(terms);
  const { rate, mid } = terms;
  if (send > maxMinor(terms.sendDecimals)) throw tooLarge();

  const sendFee = feeOn(send, terms.sendFee);
  const exchanged = send - sendFee;
  if (send < 1n || exchanged < 1n) throw tooSmall();

  const gross = convertDown(exchanged, rate, terms);
  const midValue = mid && convertDown(exchanged, mid, terms);
  const limit = maxMinor(terms.receiveDecimals);
  if (gross > limit || (midValue !== null && midValue > limit)) throw tooLarge();

  const receiveFee = feeOn(gross, terms.receiveFee);
  const payout = gross - receiveFee;
  if (payout < 1n) throw tooSmall();

  const spread = midValue === null ? 0n : midValue - gross;
  return { send, sendFee, exchanged, rate, gross, receiveFee, payout, midValue, spread };
}

/**
 * The quote with the least `send` whose payout reaches `wish` minor units. Its
 * payout is what is shown and given; it may exceed the wish by what the last
 * send unit is worth.
 * @throws MoneyError as `quoteSend`
 */
export function quoteReceive(terms: PriceTerms, wish: bigint): Quote {
  checkTerms(terms);
  if (wish < 1n) throw tooSmall();
  // Each step down the formula has an exact inverse, because ⌊x⌋ ≥ n is the
  // same as x ≥ n for a whole n: three divisions, no search, no guess.
  const gross = leastBefore(wish, terms.receiveFee);
  const exchanged = leastConverting(gross, terms);
  return quoteSend(terms, leastBefore(exchanged, terms.sendFee));
}

/** @throws MoneyError where a string is no decimal, or has more decimals than its currency */
export function readTerms(wire: WireTerms): PriceTerms {
  const terms: PriceTerms = {
    sendDecimals: wire.send_decimals,
    receiveDecimals: wire.receive_decimals,
    rate: parseDecimal(wire.rate),
    mid: wire.mid_rate === null ? null : parseDecimal(wire.mid_rate),
    sendFee: readFee(wire.send_fee, wire.send_decimals),
    receiveFee: readFee(wire.receive_fee, wire.receive_decimals),
  };
  checkTerms(terms);
  return terms;
}

export function writeQuote(quote: Quote, terms: PriceTerms): WireQuote {
  const { sendDecimals, receiveDecimals } = terms;
  return {
    send_amount: formatAmount(quote.send, sendDecimals),
    send_fee: formatAmount(quote.sendFee, sendDecimals),
    exchanged_amount: formatAmount(quote.exchanged, sendDecimals),
    rate: formatDecimal(quote.rate),
    gross_amount: formatAmount(quote.gross, receiveDecimals),
    receive_fee: formatAmount(quote.receiveFee, receiveDecimals),
    receive_amount: formatAmount(quote.payout, receiveDecimals),
  };
}

function readFee(wire: WireFee, decimals: number): Fee {
  return { fixed: parseAmount(wire.fixed, decimals), percent: parseDecimal(wire.percent) };
}

function checkTerms({ rate, mid, sendFee, receiveFee }: PriceTerms): void {
  if (rate.units <= 0n || (mid && mid.units <= 0n)) {
    throw new MoneyError('rate_not_positive', 'A rate is above zero.');
  }
  for (const { fixed, percent } of [sendFee, receiveFee]) {
    // From 100 % on nothing would be left, and the least send would not exist.
    if (fixed < 0n || percent.units < 0n || percent.units >= wholeOf(percent)) {
      throw new MoneyError('fee_out_of_range', 'A fee is 0 or more, and below 100 %.');
    }
  }
}

/**
 * The fee on `base`, rounded up to whole minor units. The receive fee's base is
 * the gross already rounded down: the shown lines then reproduce the total, and
 * base − fee = ⌊base × (1 − percent)⌋ − fixed never falls as the base rises.
 */
function feeOn(base: bigint, { fixed, percent }: Fee): bigint {
  return fixed + ceilDivide(base * percent.units, wholeOf(percent));
}

/** The least base that leaves at least `rest` after its fee: the inverse of `base − feeOn(base)`. */
function leastBefore(rest: bigint, { fixed, percent }: Fee): bigint {
  const whole = wholeOf(percent);
  return ceilDivide((rest + fixed) * whole, whole - percent.units);
}

/** Send minor units into receive minor units, rounded down. */
function convertDown(exchanged: bigint, rate: Decimal, terms: PriceTerms): bigint {
  const { sendDecimals, receiveDecimals } = terms;
  return floorDivide(
    exchanged * rate.units * tenTo(receiveDecimals),
    tenTo(sendDecimals + rate.scale),
  );
}

/** The least exchanged amount that converts into at least `gross`: the inverse of `convertDown`. */
function leastConverting(
  gross: bigint,
  { rate, sendDecimals, receiveDecimals }: PriceTerms,
): bigint {
  return ceilDivide(gross * tenTo(sendDecimals + rate.scale), rate.units * tenTo(receiveDecimals));
}

/** 100 % in the percentage's own units. */
function wholeOf(percent: Decimal): bigint {
  return tenTo(percent.scale + 2);
}

function tooSmall(): MoneyError {
  return new MoneyError('amount_too_small', 'Nothing would be paid out for this amount.');
}

function tooLarge(): MoneyError {
  return new MoneyError('amount_too_large', 'Amounts reach 10^24 at most.');
}
