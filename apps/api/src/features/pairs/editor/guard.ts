/**
 * Pure: which changes of a price somebody has to say yes to. One slip in a
 * formula or a margin is a thousandfold rate, and customers are quick; so a rate
 * that moves far, and a price at which the desk loses, go live only after the
 * rate itself was named.
 */
import type { RateChange } from '@cambist/contract/wire';
import { formatAmount } from '@cambist/money/amount';
import {
  compare,
  formatDecimal,
  MoneyError,
  multiply,
  parseDecimal,
  subtract,
  type Decimal,
} from '@cambist/money/decimal';
import { quoteSend, type PriceTerms, type Quote } from '@cambist/money/quote';
import type { MarketRate } from '#features/rates/market/market.ts';
import { Refusal } from '#kernel/refusal.ts';
import { deskMargin } from '../margin.ts';
import { change, sendLimits, terms, type Limited } from '../price.ts';

export interface Asking {
  /** The pair as it is in force; null for a new one. */
  readonly before: Limited | null;
  readonly after: Limited & { readonly active: boolean };
  /** The market's rate of its units; null where none is fresh. */
  readonly market: Pick<MarketRate, 'rate'> | null;
  readonly jumpPercent: string;
}

/** What a change has to be confirmed with; null where nobody has to be asked. */
export function rateChange({ before, after, market, jumpPercent }: Asking): RateChange | null {
  const now = terms(after);
  if (now === null) return null;
  const move = furthest(before && terms(before), now);
  const loss = lossOf(after, now, market);
  const reasons: RateChange['reasons'] = [];
  if (isFar(move, parseDecimal(jumpPercent))) reasons.push('moves');
  // A pair that stays switched off at its old price may lose what it likes.
  if (loss !== null && (after.active || !isSame(move))) reasons.push('loses');
  if (reasons.length === 0) return null;
  const { from, to, tier } = move;
  return {
    reasons,
    from: from && formatDecimal(from),
    to: formatDecimal(to),
    percent: from && change(from, to),
    tier: tier === null ? null : formatAmount(tier, after.send.decimals),
    kept_percent: loss,
    against: market ? 'market' : 'mid',
  };
}

/** @throws Refusal 409 `rate_unconfirmed` unless `confirmed` is the rate that has to be named */
export function requireConfirmed(change: RateChange | null, confirmed: string | undefined): void {
  if (change === null) return;
  if (confirmed !== undefined && compare(parseDecimal(confirmed), parseDecimal(change.to)) === 0)
    return;
  throw new Refusal(409, 'rate_unconfirmed', sentence(change), { rateChange: change });
}

function sentence({ reasons, from, to, percent, kept_percent }: RateChange): string {
  const sign = percent?.startsWith('-') ? '' : '+';
  const moved =
    from === null ? `would be ${to}` : `would go from ${from} to ${to} (${sign}${percent} %)`;
  const loss = reasons.includes('loses') ? ` The desk would keep ${kept_percent} %.` : '';
  return `The customer's rate ${moved}.${loss} Confirm it to save.`;
}

interface Move {
  readonly from: Decimal | null;
  readonly to: Decimal;
  /** From which amount on, in minor units; null: below the first tier. */
  readonly tier: bigint | null;
}

/** Of the rates at each amount where a tier begins, before or after, the one that moves furthest. */
function furthest(before: PriceTerms | null, after: PriceTerms): Move {
  const first: Move = { from: before && before.rate, to: after.rate, tier: null };
  if (before === null || before.rate.units <= 0n) return { ...first, from: null };
  return [...before.tiers, ...after.tiers].reduce((most, { from: amount }) => {
    const move = { from: rateFor(before, amount), to: rateFor(after, amount), tier: amount };
    return compare(sizeAgainst(move, most), sizeAgainst(most, move)) > 0 ? move : most;
  }, first);
}

function rateFor({ rate, tiers }: PriceTerms, amount: bigint): Decimal {
  return tiers.findLast(({ from }) => from <= amount)?.rate ?? rate;
}

/** |to − from| of one, times `from` of the other: so two relative moves are compared without dividing. */
function sizeAgainst({ from, to }: Move, other: Move): Decimal {
  if (from === null || other.from === null) return { units: 0n, scale: 0 };
  return multiply(magnitude(subtract(to, from)), other.from);
}

const hundred: Decimal = { units: 100n, scale: 0 };

function isFar({ from, to }: Move, percent: Decimal): boolean {
  if (from === null) return false;
  const moved = multiply(magnitude(subtract(to, from)), hundred);
  return compare(moved, multiply(percent, from)) > 0;
}

function isSame({ from, to }: Move): boolean {
  return from !== null && compare(from, to) === 0;
}

function magnitude({ units, scale }: Decimal): Decimal {
  return { units: units < 0n ? -units : units, scale };
}

/**
 * What the desk keeps of the largest amount, in percent, where that is less than
 * nothing. Fees weigh least there and tiers are kindest: no other amount loses more.
 */
function lossOf(pair: Limited, priced: PriceTerms, market: Asking['market']): string | null {
  const quote = bestQuote(pair, priced);
  const margin = quote && deskMargin(quote, { ...priced, mid: market?.rate ?? priced.mid });
  return margin?.percent.startsWith('-') ? margin.percent : null;
}

/** The largest amount's, whose price is the best that the pair has; null where it has none. */
export function bestQuote(pair: Limited, priced: PriceTerms): Quote | null {
  try {
    return quoteSend(priced, sendLimits(pair)?.max ?? pair.max_send);
  } catch (error) {
    if (error instanceof MoneyError) return null;
    throw error;
  }
}
