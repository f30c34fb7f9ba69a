/**
 * Pure: what a jump puts in doubt, believed rates and units without any. While it
 * waits for an admin nobody knows whether the rate that stands is still true, so no
 * price may be made of it; rates that lead elsewhere are as good as before.
 */
import { findPath, marketOf, type Market } from './cross.ts';

/** A believed rate, by its own unit, and the jump that doubts it. */
export interface Doubt {
  readonly unit: string;
  readonly awaited: string;
}

/** In doubt is the last step to the unit that jumped: what lies before it has its own providers' word. */
export function doubtsOf(market: Market): Doubt[] {
  return market.waiting.flatMap(({ unit: awaited, base }) => {
    const last = findPath(market, base, awaited)?.at(-1);
    return last === undefined ? [] : [{ unit: last.rate.unit, awaited }];
  });
}

/**
 * The units whose jump a rate among `units` would be made of, were it believed. For what the market
 * gives no rate: then a last rate goes on, with nothing believed that could carry the doubt.
 */
export function waitingAmong(
  { rates, waiting, readAt }: Pick<Market, 'rates' | 'readAt' | 'waiting'>,
  units: readonly string[],
): string[] {
  if (waiting.length === 0) return [];
  const own = waiting.filter(({ unit }) => units.includes(unit));
  const never = { asOf: new Date(0), confirmedAt: new Date(0), freshUntil: new Date(0) };
  // Older than every believed rate, so that they only connect what nothing believed does.
  const edges = new Set(
    waiting.map(({ unit, base }) => ({
      ...never,
      unit,
      base,
      rate: '1',
      inverted: false,
      provider: '',
    })),
  );
  const market = marketOf([...rates, ...edges], readAt);
  const [first = '', ...others] = units;
  const between = others
    .flatMap((unit) => findPath(market, first, unit) ?? [])
    .filter(({ rate }) => edges.has(rate))
    .map(({ rate }) => rate);
  return [...new Set([...own, ...between].map(({ unit }) => unit))].toSorted();
}
