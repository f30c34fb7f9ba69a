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

/**
 * In doubt is the last step to the unit that jumped: what lies before it has its own providers' word.
 * Where it came from a base that nothing connects with it, that is the unit's own rate.
 */
export function doubtsOf(market: Market): Doubt[] {
  return market.waiting.flatMap(({ unit: awaited, base }) => {
    const last = findPath(market, base, awaited)?.at(-1);
    const unit = last?.rate.unit ?? awaited;
    return market.rates.some((rate) => rate.unit === unit) ? [{ unit, awaited }] : [];
  });
}

/** The market as if every jump were answered; what nothing believed connects, a question does. */
export function withWaiting({ rates, waiting, readAt }: Market): Market {
  const never = { asOf: new Date(0), confirmedAt: new Date(0), freshUntil: new Date(0) };
  // Older than every believed rate, so none of those is redundant beside them.
  const questions = waiting.map(({ unit, base }) => {
    return { ...never, unit, base, rate: '1', inverted: false, provider: '' };
  });
  return marketOf([...rates, ...questions], readAt);
}

/**
 * The units whose jump a rate among `units` would be made of, were it believed. For what the market
 * gives no rate: then a last rate goes on, with nothing believed that could carry the doubt.
 */
export function waitingAmong(market: Market, units: readonly string[]): string[] {
  if (market.waiting.length === 0) return [];
  const believed = new Set(market.rates);
  const own = market.waiting.filter(({ unit }) => units.includes(unit));
  const joined = withWaiting(market);
  const [first = '', ...others] = units;
  const between = others
    .flatMap((unit) => findPath(joined, first, unit) ?? [])
    .flatMap(({ rate }) => (believed.has(rate) ? (rate.awaits ?? []) : [rate.unit]));
  return [...new Set([...own.map(({ unit }) => unit), ...between])].toSorted();
}
