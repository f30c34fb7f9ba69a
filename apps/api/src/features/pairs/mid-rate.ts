/** Pure: the mid rate of a pair, from the market or from an admin. */
import { formatDecimal } from '@cambist/money/decimal';
import type { Selectable } from 'kysely';
import { cross, type Market, type MarketRate } from '#features/rates/market/cross.ts';
import { evaluateFormula, formulaUnits, parseFormula } from '#features/rates/market/formula.ts';
import type { PairsTable } from '#platform/db/tables.generated.ts';
import { endOrNull } from './state.ts';

/** The columns of a mid rate. */
export type MidRate = Pick<
  Selectable<PairsTable>,
  | 'mid_as_of'
  | 'mid_awaits'
  | 'mid_confirmed_at'
  | 'mid_fresh_until'
  | 'mid_rate'
  | 'mid_source'
  | 'mid_until'
>;

export const noMidRate: MidRate = {
  mid_rate: null,
  mid_source: null,
  mid_as_of: null,
  mid_confirmed_at: null,
  mid_fresh_until: null,
  mid_until: null,
  mid_awaits: [],
};

/** The source of a rate that an admin set. */
export const MANUAL = 'manual';

export function manualMidRate(rate: string, now: Date, until: Date | null): MidRate {
  return { ...noMidRate, mid_rate: rate, mid_source: MANUAL, mid_as_of: now, mid_until: until };
}

/**
 * The last rate of a pair that starts to follow a market without a rate for it: it stays in force
 * until a run brings one, and goes stale as if a run had just confirmed it.
 */
export function carriedMidRate(last: MidRate, now: Date): MidRate {
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

/** How a pair's rate is made of market rates: a cross of two units, or a formula. */
export interface RateSource {
  readonly formula: string | null;
  readonly from: string;
  readonly to: string;
}

/** The units whose market rates a source needs. */
export function requiredUnits({ formula, from, to }: RateSource): string[] {
  if (formula === null) return from === to ? [] : [from, to];
  const read = parseFormula(formula);
  return read.ok ? formulaUnits(read.formula) : [];
}

/** The mid rate by the market; empty where it has none, with the reason. */
export function marketMidRate(
  { formula, from, to }: RateSource,
  market: Market,
): { readonly mid: MidRate; readonly missing: string | null } {
  const found = marketRate({ formula, from, to }, market);
  if (typeof found === 'string') return { mid: noMidRate, missing: found };
  const mid = {
    mid_rate: formatDecimal(found.rate),
    mid_source: found.source,
    mid_as_of: found.asOf,
    mid_confirmed_at: found.confirmedAt,
    mid_fresh_until: found.freshUntil,
    mid_until: null,
    mid_awaits: [...found.awaits],
  };
  return { mid, missing: null };
}

/** The market's rate between a pair's units, in any mode; null without a fresh one. */
export function freshMarketRate(
  market: Market,
  { send, receive }: { readonly send: { unit: string }; readonly receive: { unit: string } },
): MarketRate | null {
  const found = cross(market, send.unit, receive.unit);
  return found !== null && found.freshUntil > market.readAt ? found : null;
}

function marketRate({ formula, from, to }: RateSource, market: Market): MarketRate | string {
  if (formula === null)
    return cross(market, from, to) ?? `The market has no rate from ${from} to ${to}.`;
  const read = parseFormula(formula);
  const result = read.ok ? evaluateFormula(read.formula, market) : read;
  return result.ok ? result.rate : result.message;
}
