/**
 * Pure: which believed rates a jump puts in doubt. While it waits for an admin
 * nobody knows whether the rate that stands is still true, so no price may be
 * made of it; rates that lead elsewhere are as good as before.
 */
import { findPath, type Market } from './cross.ts';

/** A jump that waits: units of `unit` for one of `base`, whichever rates connect them now. */
export interface Question {
  readonly unit: string;
  readonly base: string;
}

/** A believed rate, by its own unit, and the jump that doubts it. */
export interface Doubt {
  readonly unit: string;
  readonly awaited: string;
}

/** In doubt is the last step to the unit that jumped: what lies before it has its own providers' word. */
export function doubtsOf(market: Market, waiting: readonly Question[]): Doubt[] {
  return waiting.flatMap(({ unit: awaited, base }) => {
    const last = findPath(market, base, awaited)?.at(-1);
    return last === undefined ? [] : [{ unit: last.rate.unit, awaited }];
  });
}
