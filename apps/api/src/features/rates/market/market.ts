/**
 * The market: the accepted rate of each unit, as its provider gave it. Any two
 * units that they connect have a cross. Only the synchronisation writes it.
 */
import type { Db, Tx } from '#platform/db/database.ts';
import { databaseTime } from '#platform/db/database-clock.ts';
import { findPath, marketOf, type AcceptedRate, type Market, type NewestTime } from './cross.ts';
import * as store from './store.ts';

export {
  cross,
  exactCross,
  marketOf,
  type AcceptedRate,
  type Market,
  type MarketRate,
  type NewestTime,
} from './cross.ts';
export { evaluateFormula, formulaUnits, parseFormula } from './formula.ts';

export async function readMarket(db: Db | Tx): Promise<Market> {
  return marketOf(await store.listRates(db), await databaseTime(db));
}

/**
 * The market at `time`; then the same with the first rate of each unit that was not known so long
 * ago.
 */
export async function readPast(db: Db | Tx, time: Date): Promise<readonly Market[]> {
  const rates = await store.listPast(db, time);
  const known = rates.filter(({ confirmedAt }) => confirmedAt <= time);
  return [marketOf(known, time), marketOf(rates, time)];
}

/** The times that each provider's rates may not go back before. */
export async function readNewest(db: Db | Tx): Promise<NewestTime[]> {
  return store.listNewest(db);
}

/** After an admin accepted a large move: later moves are measured from the accepted rate. */
export async function forgetPast(tx: Tx, units: readonly string[]): Promise<void> {
  await store.deletePast(tx, units);
}

/**
 * Writes each rate in place of its unit's former one, and deletes those that they make redundant:
 * with a provider of another base, the former base's edge would only be a second, older path.
 */
export async function writeRates(tx: Tx, rates: readonly AcceptedRate[]): Promise<void> {
  await store.upsertRates(tx, rates);
  await store.appendPast(tx, rates);
  await store.upsertNewest(tx, rates);
  const { redundant } = await readMarket(tx);
  await store.deleteRates(
    tx,
    redundant.map(({ unit }) => unit),
  );
}

/**
 * Marks the rates that the open questions hold, in place of all former marks: pairs that are made of
 * them give no new quotes. Call it, and let the rates flow, whenever rates or questions changed.
 */
export async function holdRates(
  tx: Tx,
  questions: readonly Pick<AcceptedRate, 'unit' | 'base'>[],
): Promise<void> {
  const market = await readMarket(tx);
  const holds = questions.map(({ unit: awaits, base }) => {
    // What lies before the last step has rates of its own, which are not in question.
    const unit = findPath(market, base, awaits)?.at(-1)?.rate.unit ?? awaits;
    return { unit, awaits };
  });
  await store.updateAwaits(tx, holds);
}
