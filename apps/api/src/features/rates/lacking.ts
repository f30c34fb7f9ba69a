/** Pure: which of the units that the desk needs a market does not connect with the rest. */
import { exactCross, type Market } from '#features/market/market.ts';

/** Those that are not connected with the most of the others; all, where nothing connects two. */
export function lackingOf(market: Market, needed: Iterable<string>): string[] {
  const units = [...needed];
  const groups: string[][] = [];
  for (const unit of units) {
    const group = groups.find(([first = '']) => exactCross(market, first, unit) !== null);
    if (group) group.push(unit);
    else groups.push([unit]);
  }
  const largest = groups.toSorted((a, b) => b.length - a.length)[0] ?? [];
  // A single unit has no rate to lack; two that nothing connects both do.
  const found = largest.length > 1 || units.length === 1 ? new Set(largest) : new Set<string>();
  return units.filter((unit) => !found.has(unit)).toSorted();
}
