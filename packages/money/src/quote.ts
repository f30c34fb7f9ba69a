/**
 * The price of one pair and one amount, computed in the browser and, with
 * authority, on the server. What is rounded: the customer's rate once, down, to the
 * pair's digits; each fee up and the gross down to its currency's decimals; the payout down
 * to its step; for the books, the mid value down. The shown lines reproduce the shown total. See
 * docs/decisions/0004-money-in-bigint.md and 0017-tiers-fee-bounds-and-steps.md.
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
import { checkFee, feeOn, leastBefore, readFee, type Fee, type WireFee } from './fee.ts';

/** The customer's rate for a whole amount from `from` minor units of the send currency on. */
export interface Tier {
  readonly from: bigint;
  readonly rate: Decimal;
}

/** Rates are the customer's, rounded; `mid` is null without a mid rate. */
export interface PriceTerms {
  readonly sendDecimals: number;
  readonly receiveDecimals: number;
  /** Below the first tier. */
  readonly rate: Decimal;
  /** Ascending by `from`, without duplicates. */
  readonly tiers: readonly Tier[];
  readonly mid: Decimal | null;
  readonly sendFee: Fee;
  readonly receiveFee: Fee;
  /** The payout is a multiple of this, in minor units; 1 where every amount can be paid. */
  readonly payoutStep: bigint;
}

/** Minor units: the first three of the send currency, the others of the receive currency. */
export interface Quote {
  readonly send: bigint;
  readonly sendFee: bigint;
  /** `send − sendFee` */
  readonly exchanged: bigint;
  /** Of the tier that `send` falls into. */
  readonly rate: Decimal;
  /** `exchanged × rate`, rounded down */
  readonly gross: bigint;
  readonly receiveFee: bigint;
  /** Cut off by the payout step: `gross − receiveFee − payout`, below one step. */
  readonly rounding: bigint;
  /** `gross − receiveFee`, rounded down to a multiple of the step */
  readonly payout: bigint;
  /** `exchanged` at the mid rate, rounded down; null where there is no mid */
  readonly midValue: bigint | null;
  /** `midValue − payout − receiveFee`, rounding included; may be negative; 0 where there is no mid */
  readonly spread: bigint;
}

/** `PriceTerms` of the API: amounts in major units, as decimal strings. */
export interface WireTerms {
  readonly send_decimals: number;
  readonly receive_decimals: number;
  readonly rate: string;
  readonly tiers: readonly { readonly from: string; readonly rate: string }[];
  readonly mid_rate: string | null;
  readonly send_fee: WireFee;
  readonly receive_fee: WireFee;
  readonly payout_step: string;
}

/** A pair's price in public answers. */
export interface WirePair extends Pick<WireTerms, 'rate' | 'tiers' | 'mid_rate' | 'payout_step'> {
  readonly fees: { readonly send: WireFee; readonly receive: WireFee };
}

/** A quote's shown lines, in major units with each currency's decimals. */
export interface WireQuote {
  readonly send_amount: string;
  readonly send_fee: string;
  readonly exchanged_amount: string;
  readonly rate: string;
  readonly gross_amount: string;
  readonly receive_fee: string;
  readonly rounding: string;
  readonly receive_amount: string;
}

const hundred: Decimal = { units: 100n, scale: 0 };

/**
 * mid × (1 − percent / 100) − absolute, rounded down once to exactly `digits` decimals; `absolute`
 * in receive units for one send unit. Negative margins favour the customer. Too high a margin, or
 * too few digits for a small mid, gives zero or less: quoting refuses such a rate.
 */
export function customerRate(
  mid: Decimal,
  marginPercent: Decimal,
  marginAbsolute: Decimal,
  digits: number,
): Decimal {
  const { units, scale } = multiply(mid, subtract(hundred, marginPercent));
  return roundDown(subtract({ units, scale: scale + 2 }, marginAbsolute), digits);
}

/**
 * The quote for sending `send` minor units.
 * @throws MoneyError `amount_too_small` where the fee takes all of it or the
 *   payout would be below one step; `amount_too_large` where any line would pass
 *   10^24 major units; `rate_not_positive`, `fee_out_of_range`,
 *   `tiers_out_of_order`, `step_not_positive`, `decimals_out_of_range` for terms
 *   that price nothing
 */
export function quoteSend(terms: PriceTerms, send: bigint): Quote {
  checkTerms(terms);
  const tier = terms.tiers.findLast(({ from }) => from <= send);
  const quote = quoteAt(terms, tier?.rate ?? terms.rate, send);
  if (quote === null) throw tooLarge();
  return quote;
}

/**
 * The quote with the least `send` whose payout reaches `wish` minor units. Its
 * payout is what is shown and given; it may exceed the wish by what the last
 * send unit is worth and by less than one step.
 * @throws MoneyError as `quoteSend`
 */
export function quoteReceive(terms: PriceTerms, wish: bigint): Quote {
  checkTerms(terms);
  if (wish < 1n) throw tooSmall();
  const { tiers, payoutStep, sendFee, receiveFee } = terms;
  // Each step down the formula has an exact inverse, because ⌊x⌋ ≥ n is the
  // same as x ≥ n for a whole n: divisions, no search, no guess.
  const gross = leastBefore(ceilDivide(wish, payoutStep) * payoutStep, receiveFee);
  // Within one rate the payout never falls as the send rises, so the first tier
  // that reaches the wish below its end has the answer, even where the next pays less.
  for (let index = -1; index < tiers.length; index += 1) {
    const { from, rate } = tiers[index] ?? { from: 1n, rate: terms.rate };
    const least = leastBefore(leastConverting(gross, rate, terms), sendFee);
    const send = least > from ? least : from;
    const end = tiers[index + 1]?.from;
    const quote = end !== undefined && send >= end ? null : quoteAt(terms, rate, send);
    if (quote !== null) return quote;
  }
  throw tooLarge();
}

/**
 * The largest quote whose payout is within `most` minor units; null where no payout is.
 * @throws MoneyError as `quoteReceive`, `amount_too_large` where every countable payout is within it
 */
export function quoteWithin(terms: PriceTerms, most: bigint): Quote | null {
  // The payout never falls as the send rises: one unit less than what pays more.
  const { send } = quoteReceive(terms, most + 1n);
  try {
    return quoteSend(terms, send - 1n);
  } catch (error) {
    if (error instanceof MoneyError && error.code === 'amount_too_small') return null;
    throw error;
  }
}

/** The lines at one rate; null where one of them would pass the limit. */
function quoteAt(terms: PriceTerms, rate: Decimal, send: bigint): Quote | null {
  const { mid, payoutStep } = terms;
  if (send > maxMinor(terms.sendDecimals)) return null;

  const sendFee = feeOn(send, terms.sendFee);
  const exchanged = send - sendFee;
  if (send < 1n || exchanged < 1n) throw tooSmall();

  const gross = convertDown(exchanged, rate, terms);
  const midValue = mid && convertDown(exchanged, mid, terms);
  const limit = maxMinor(terms.receiveDecimals);
  if (gross > limit || (midValue !== null && midValue > limit)) return null;

  const receiveFee = feeOn(gross, terms.receiveFee);
  const left = gross - receiveFee;
  if (left < payoutStep) throw tooSmall();
  const rounding = left % payoutStep;
  const payout = left - rounding;

  const spread = midValue === null ? 0n : midValue - payout - receiveFee;
  return { send, sendFee, exchanged, rate, gross, receiveFee, rounding, payout, midValue, spread };
}

/** @throws MoneyError where a string is no decimal, or has more decimals than its currency */
export function readTerms(wire: WireTerms): PriceTerms {
  const terms: PriceTerms = {
    sendDecimals: wire.send_decimals,
    receiveDecimals: wire.receive_decimals,
    rate: parseDecimal(wire.rate),
    tiers: wire.tiers.map(({ from, rate }) => ({
      from: parseAmount(from, wire.send_decimals),
      rate: parseDecimal(rate),
    })),
    mid: wire.mid_rate === null ? null : parseDecimal(wire.mid_rate),
    sendFee: readFee(wire.send_fee, wire.send_decimals),
    receiveFee: readFee(wire.receive_fee, wire.receive_decimals),
    payoutStep: parseAmount(wire.payout_step, wire.receive_decimals),
  };
  checkTerms(terms);
  return terms;
}

/** {@link readTerms} of a pair of the public answers. @throws MoneyError as it does */
export function pairTerms(
  { fees, ...price }: WirePair,
  send: { readonly decimals: number },
  receive: { readonly decimals: number },
): PriceTerms {
  return readTerms({
    ...price,
    send_decimals: send.decimals,
    receive_decimals: receive.decimals,
    send_fee: fees.send,
    receive_fee: fees.receive,
  });
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
    rounding: formatAmount(quote.rounding, receiveDecimals),
    receive_amount: formatAmount(quote.payout, receiveDecimals),
  };
}

function checkTerms({ rate, tiers, mid, sendFee, receiveFee, payoutStep }: PriceTerms): void {
  if (rate.units <= 0n || (mid && mid.units <= 0n)) throw notPositive();
  let before = 0n;
  for (const tier of tiers) {
    if (tier.rate.units <= 0n) throw notPositive();
    if (tier.from <= before) {
      throw new MoneyError('tiers_out_of_order', 'Tiers begin above zero, each above the last.');
    }
    before = tier.from;
  }
  checkFee(sendFee);
  checkFee(receiveFee);
  if (payoutStep < 1n) {
    throw new MoneyError('step_not_positive', 'A payout step is one minor unit or more.');
  }
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
function leastConverting(gross: bigint, rate: Decimal, terms: PriceTerms): bigint {
  const { sendDecimals, receiveDecimals } = terms;
  return ceilDivide(gross * tenTo(sendDecimals + rate.scale), rate.units * tenTo(receiveDecimals));
}

function notPositive(): MoneyError {
  return new MoneyError('rate_not_positive', 'A rate is above zero.');
}

function tooSmall(): MoneyError {
  return new MoneyError('amount_too_small', 'Nothing would be paid out for this amount.');
}

function tooLarge(): MoneyError {
  return new MoneyError('amount_too_large', 'Amounts reach 10^24 at most.');
}
