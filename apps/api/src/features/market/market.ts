/**
 * The market: the rates that are believed now, each as its provider gave it.
 * Any two units that they connect have a cross. Only the synchronisation writes
 * here, and only what it has judged.
 */
import type { Db, Tx } from '#platform/database.ts';
import { databaseTime } from '#platform/database-clock.ts';
import { doubtsOf } from './awaited.ts';
import { marketOf, type BelievedRate, type Market, type OwnTime, type Question } from './cross.ts';
import * as store from './store.ts';

export { doubtsOf, waitingAmong, withWaiting } from './awaited.ts';
export {
  cross,
  exactCross,
  findPath,
  fractionOf,
  marketOf,
  type BelievedRate,
  type Market,
  type MarketRate,
  type OwnTime,
} from './cross.ts';
export { evaluateFormula, formulaUnits, parseFormula } from './formula.ts';

export async function readMarket(db: Db | Tx): Promise<Market> {
  return marketOf(await store.listRates(db), await databaseTime(db), await store.listQuestions(db));
}

/**
 * What was believed at `time`; then, for units that were not known so long, the first that was
 * believed of them since.
 */
export async function readPast(db: Db | Tx, time: Date): Promise<readonly Market[]> {
  const rates = await store.listPast(db, time);
  const known = rates.filter(({ confirmedAt }) => confirmedAt <= time);
  return [marketOf(known, time), marketOf(rates, time)];
}

/** What each provider's own times may not go back before. */
export async function readNewest(db: Db | Tx): Promise<OwnTime[]> {
  return store.listNewest(db);
}

/** After a person's yes: from here on the rate is measured against what they accepted. */
export async function forgetPast(tx: Tx, units: readonly string[]): Promise<void> {
  await store.deletePast(tx, units);
}

/**
 * Keeps these rates, each in place of its unit's former one. What they make redundant goes: with
 * a provider of another base, the former base's edge would only be a second, older way.
 */
export async function writeRates(tx: Tx, rates: readonly BelievedRate[]): Promise<void> {
  await store.upsertRates(tx, rates);
  await store.keepPast(tx, rates);
  await store.keepNewest(tx, rates);
  const { redundant } = await readMarket(tx);
  await store.deleteRates(
    tx,
    redundant.map(({ unit }) => unit),
  );
}

/**
 * Keeps the jumps that wait now and marks the rates that they put in doubt, in place of all former
 * ones: call it whenever rates or questions have changed, and let the rates flow then: nobody is
 * quoted in doubt.
 */
export async function markDoubts(tx: Tx, waiting: readonly Question[]): Promise<void> {
  await store.replaceQuestions(tx, waiting);
  await store.updateAwaits(tx, doubtsOf(await readMarket(tx)));
}
