/**
 * Pure: which changes of a price need a confirmation. One slip in a formula or a margin can make a
 * thousandfold rate, so a rate that moves far and a price at which the desk loses take effect only
 * when the request repeats the new rate.
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
import type { MarketRate } from '#features/rates/market/cross.ts';
import { Refusal } from '#kernel/refusal.ts';
import { sendLimits } from '../limits.ts';
import { deskMargin } from '../price.ts';
import { percentChange, terms, type LimitedPrice } from '../terms.ts';

export interface PriceChange {
  /** The pair as it is in force; null for a new one. */
  readonly before: LimitedPrice | null;
  readonly after: LimitedPrice & { readonly active: boolean };
  /** The market's rate of its units; null where none is fresh. */
  readonly market: Pick<MarketRate, 'rate'> | null;
  readonly jumpPercent: string;
}

/** The confirmation that a change needs; null where it needs none. */
export function rateChange({ before, after, market, jumpPercent }: PriceChange): RateChange | null {
  const now = terms(after);
  if (now === null) return null;
  const move = largestMove(before && terms(before), now);
  const loss = lossOf(after, now, market);
  const reasons: RateChange['reasons'] = [];
  if (exceeds(move, parseDecimal(jumpPercent))) reasons.push('moves');
  // A switched-off pair may keep a losing price.
  if (loss !== null && (after.active || !isSame(move))) reasons.push('loses');
  if (reasons.length === 0) return null;
  const { from, to, tier } = move;
  return {
    reasons,
    from: from && formatDecimal(from),
    to: formatDecimal(to),
    percent: from && percentChange(from, to),
    tier: tier === null ? null : formatAmount(tier, after.send.decimals),
    kept_percent: loss,
    against: market ? 'market' : 'mid',
  };
}

/** @throws Refusal 409 `rate_unconfirmed` unless `confirmed` is the new rate */
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
  /** The tier's first amount, in minor units; null: below the first tier. */
  readonly tier: bigint | null;
}

/** The largest relative move among the base rate and the rates at each tier, old or new. */
function largestMove(before: PriceTerms | null, after: PriceTerms): Move {
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

/** |to − from| of one, times `from` of the other: compares relative moves without dividing. */
function sizeAgainst({ from, to }: Move, other: Move): Decimal {
  if (from === null || other.from === null) return { units: 0n, scale: 0 };
  return multiply(magnitude(subtract(to, from)), other.from);
}

const hundred: Decimal = { units: 100n, scale: 0 };

function exceeds({ from, to }: Move, percent: Decimal): boolean {
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
 * The desk's margin on the largest amount, in percent, where it is negative. Fees weigh least there
 * and the tier is the best, so no other amount loses more.
 */
function lossOf(
  pair: LimitedPrice,
  priced: PriceTerms,
  market: PriceChange['market'],
): string | null {
  const quote = bestQuote(pair, priced);
  const margin = quote && deskMargin(quote, { ...priced, mid: market?.rate ?? priced.mid });
  return margin?.percent.startsWith('-') ? margin.percent : null;
}

/** The quote of the largest amount, the best price of the pair; null where it has none. */
export function bestQuote(pair: LimitedPrice, priced: PriceTerms): Quote | null {
  try {
    return quoteSend(priced, sendLimits(pair)?.max ?? pair.max_send);
  } catch (error) {
    if (error instanceof MoneyError) return null;
    throw error;
  }
}
