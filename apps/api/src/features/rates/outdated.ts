/** Pure: what is believed since a rate was put aside, so that an admin's yes to that one comes too late. */
import type { QuarantinedRate } from '@cambist/contract/rate-quarantine';
import { shortest } from '@cambist/money/decimal';
import {
  exactCross,
  findPath,
  marketOf,
  type BelievedRate,
  type Market,
} from '#features/market/market.ts';
import { writtenRate } from './comparison.ts';
import { labelOf } from './providers.ts';
import type { QuarantineRow } from './quarantine-store.ts';

type Waiting = Omit<QuarantineRow, 'decider'>;

/** What others say of it since, so that it cannot be believed any more; null where they say nothing. */
export function newerThan(rates: readonly BelievedRate[], row: Waiting): BelievedRate | null {
  const last = rates.find(({ unit }) => unit === row.unit);
  if (last !== undefined && last.confirmedAt > row.seen_at) return last;
  const claim = asBelieved(row, row.as_of);
  const market = inPlace(rates, claim);
  if (!market.redundant.includes(claim)) return null;
  // With its edge redundant, others say the same way round it, and newer.
  return findPath(market, row.base, row.unit)?.at(-1)?.rate ?? null;
}

/** The market with this rate in place of its unit's former one. */
export function inPlace(rates: readonly BelievedRate[], rate: BelievedRate): Market {
  const others = rates.filter(({ unit }) => unit !== rate.unit);
  return marketOf([...others, rate], rate.confirmedAt);
}

export function asBelieved(row: Waiting, freshUntil: Date): BelievedRate {
  const { unit, base, rate, inverted, provider, as_of: asOf, seen_at: confirmedAt } = row;
  return { unit, base, rate, inverted, provider, asOf, confirmedAt, freshUntil };
}

/** As the desk's admins see it: in the terms of what waits, to be read beside it, where anything connects the two. */
export function outdatedBy(
  rates: readonly BelievedRate[],
  row: Waiting,
): QuarantinedRate['outdated_by'] {
  const newer = newerThan(rates, row);
  if (newer === null) return null;
  const label = labelOf(newer.provider);
  const known = exactCross(marketOf(rates, newer.confirmedAt), row.base, row.unit);
  const own = known && writtenRate(known, row.inverted);
  // Too small or too large to be written there, it is told as it was given.
  if (own === null) {
    const { unit, base, rate, inverted } = newer;
    return { unit, base, rate: shortest(rate), inverted, label };
  }
  const { unit, base, inverted } = row;
  return { unit, base, rate: own, inverted, label };
}
