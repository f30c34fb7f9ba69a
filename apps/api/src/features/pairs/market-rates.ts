/**
 * From the market to the pairs: every automatic and formula pair takes its mid rate from the
 * accepted rates. A pair for which the market has no rate keeps its last one.
 */
import type { Market } from '#features/rates/market/cross.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import * as store from './market-rates-store.ts';
import { marketMidRate, requiredUnits } from './mid-rate.ts';

/**
 * The job that runs after customers' rates may have changed, enqueued in the transaction that
 * changes them. At most one waits, so its handler reads the rates anew.
 */
export const RATES_CHANGED = 'rates-changed';

export async function enqueueRatesChanged({ jobs }: Pick<Deps, 'jobs'>, tx: Tx): Promise<void> {
  await jobs.enqueue(tx, RATES_CHANGED, {}, { key: 'all' });
}

export async function applyMarketRates(
  deps: Pick<Deps, 'jobs' | 'published'>,
  tx: Tx,
  market: Market,
): Promise<void> {
  await store.lockMidRates(tx);
  const mids = (await store.listMarketPairs(tx)).map((pair) => ({
    id: pair.id,
    ...marketMidRate(pair, market).mid,
  }));
  const [found, missing] = [
    mids.filter(({ mid_rate }) => mid_rate !== null),
    mids.filter(({ mid_rate }) => mid_rate === null),
  ];
  await store.updateMidRates(tx, found);
  await store.clearAwaits(
    tx,
    missing.map(({ id }) => id),
  );
  await deps.published.changed(tx, 'converter', 'rates-showcase', 'feeds');
  await enqueueRatesChanged(deps, tx);
}

/** `needed`: by pairs that follow the market. `known`: of all currencies, so that any pair can start to. */
export async function marketUnits(
  db: Db | Tx,
): Promise<{ readonly needed: readonly string[]; readonly known: readonly string[] }> {
  const pairs = await store.listMarketPairs(db);
  const needed = new Set(pairs.flatMap(requiredUnits));
  return {
    needed: [...needed].toSorted(),
    known: [...new Set([...(await store.listUnits(db)), ...needed])].toSorted(),
  };
}
