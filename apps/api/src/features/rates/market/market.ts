/** The market: the accepted rate of each unit. Only the synchronisation writes it. */
import type { Db, Tx } from '#platform/db/database.ts';
import { databaseTime } from '#platform/db/database-clock.ts';
import { findPath, marketOf, type AcceptedRate, type Market } from './cross.ts';
import * as store from './store.ts';

export async function readMarket(db: Db | Tx): Promise<Market> {
  return marketOf(await store.listRates(db), await databaseTime(db));
}

/** The market at `time`, and the same with the first rate of each unit that is newer. */
export async function readPast(db: Db | Tx, time: Date): Promise<readonly Market[]> {
  const rates = await store.listPast(db, time);
  const known = rates.filter(({ confirmedAt }) => confirmedAt <= time);
  return [marketOf(known, time), marketOf(rates, time)];
}

/** Replaces the rates of these units, and deletes rates that become redundant, as after a change of the base. */
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
 * Replaces the marks of rates with open questions; pairs that use them give no new quotes. Needed,
 * with `applyMarketRates`, after every change of rates or questions.
 */
export async function holdRates(
  tx: Tx,
  questions: readonly Pick<AcceptedRate, 'unit' | 'base'>[],
): Promise<void> {
  const market = await readMarket(tx);
  const holds = questions.map(({ unit: awaits, base }) => {
    // Only the last step of the path is questioned.
    const unit = findPath(market, base, awaits)?.at(-1)?.rate.unit ?? awaits;
    return { unit, awaits };
  });
  await store.updateAwaits(tx, holds);
}
