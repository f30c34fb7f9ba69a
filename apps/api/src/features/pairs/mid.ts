/** Pure: the mid rate that a pair takes from the market, or why it gets none. */
import { formatDecimal } from '@cambist/money/decimal';
import type { Selectable } from 'kysely';
import {
  cross,
  evaluateFormula,
  formulaUnits,
  parseFormula,
  type Market,
  type MarketRate,
} from '#features/rates/market/market.ts';
import type { PairsTable } from '#platform/db/tables.generated.ts';
import { endOrNull } from './state.ts';

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

/**
 * For a pair that turns to a market which has no rate for it yet: its last rate goes on until a
 * run brings one, and gets stale as if a run had just brought it.
 */
export function keptMid(last: Mid, now: Date): Mid {
  const { mid_rate, mid_source, mid_as_of } = last;
  return {
    mid_rate,
    mid_source,
    mid_as_of,
    mid_awaits: [],
    mid_confirmed_at: endOrNull(last.mid_confirmed_at) ?? now,
    mid_fresh_until: last.mid_until ?? last.mid_fresh_until,
    mid_until: null,
  };
}

/** What follows the market: a cross of two units, or a formula. */
export interface Followed {
  readonly formula: string | null;
  readonly from: string;
  readonly to: string;
}

/** The units that a follower's rate is made of, each once; none of one unit in terms of itself. */
export function unitsOf({ formula, from, to }: Followed): string[] {
  if (formula === null) return from === to ? [] : [from, to];
  const read = parseFormula(formula);
  return read.ok ? formulaUnits(read.formula) : [];
}

/** The columns as they come from the market; empty where it has no rate, with the reason. */
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

/** The market's own rate between a pair's two units, whatever its mode; null without a fresh one. */
export function freshCross(
  market: Market,
  { send, receive }: { readonly send: { unit: string }; readonly receive: { unit: string } },
): MarketRate | null {
  const found = cross(market, send.unit, receive.unit);
  return found !== null && found.freshUntil > market.readAt ? found : null;
}

function marketRate({ formula, from, to }: Followed, market: Market): MarketRate | string {
  if (formula === null)
    return cross(market, from, to) ?? `The market has no rate from ${from} to ${to}.`;
  const read = parseFormula(formula);
  const result = read.ok ? evaluateFormula(read.formula, market) : read;
  return result.ok ? result.rate : result.message;
}
