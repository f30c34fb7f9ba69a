/** Pure: the mid rate that a pair takes from the market, or why it gets none. */
import { formatDecimal } from '@cambist/money/decimal';
import type { Selectable } from 'kysely';
import {
  cross,
  evaluateFormula,
  parseFormula,
  type Market,
  type MarketRate,
} from '#features/market/market.ts';
import type { PairsTable } from '#platform/money-tables.ts';

/** The columns of a mid rate. */
export type Mid = Pick<
  Selectable<PairsTable>,
  | 'mid_as_of'
  | 'mid_awaits'
  | 'mid_confirmed_at'
  | 'mid_fresh_until'
  | 'mid_rate'
  | 'mid_source'
  | 'mid_until'
>;

export const noMid: Mid = {
  mid_rate: null,
  mid_source: null,
  mid_as_of: null,
  mid_confirmed_at: null,
  mid_fresh_until: null,
  mid_until: null,
  mid_awaits: [],
};

/** Where a rate comes from that an admin set. */
export const MANUAL = 'manual';

export function manualMid(rate: string, now: Date, until: Date | null): Mid {
  return { ...noMid, mid_rate: rate, mid_source: MANUAL, mid_as_of: now, mid_until: until };
}

/** What follows the market: a cross of two units, or a formula. */
export interface Followed {
  readonly formula: string | null;
  readonly from: string;
  readonly to: string;
}

/** The columns as they come from the market, all empty where it has nothing, and then why. */
export function marketMid(
  { formula, from, to }: Followed,
  market: Market,
): { readonly mid: Mid; readonly why: string | null } {
  const found = marketRate({ formula, from, to }, market);
  if (typeof found === 'string') return { mid: noMid, why: found };
  const mid = {
    mid_rate: formatDecimal(found.rate),
    mid_source: found.source,
    mid_as_of: found.asOf,
    mid_confirmed_at: found.confirmedAt,
    mid_fresh_until: found.freshUntil,
    mid_until: null,
    mid_awaits: [...found.awaits],
  };
  return { mid, why: null };
}

function marketRate({ formula, from, to }: Followed, market: Market): MarketRate | string {
  if (formula === null)
    return cross(market, from, to) ?? `The market has no rate from ${from} to ${to}.`;
  const read = parseFormula(formula);
  const result = read.ok ? evaluateFormula(read.formula, market) : read;
  return result.ok ? result.rate : result.message;
}
