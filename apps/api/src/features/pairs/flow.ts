/**
 * From the market to the pairs: every automatic and formula pair takes its mid
 * rate from the accepted rates. A pair for which the market has no rate keeps the
 * last one that it had; a manual one is never touched.
 */
import type { Market } from '#features/rates/market/market.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import * as store from './flow-store.ts';
import { marketMid, unitsOf } from './mid.ts';
import { tellRatesMoved } from './rates-moved.ts';

/** Writes the mid rates, and tells everyone who keeps an answer made of them. */
export async function flow(
  deps: Pick<Deps, 'jobs' | 'published'>,
  tx: Tx,
  market: Market,
): Promise<void> {
  await store.lockFlow(tx);
  const found = (await store.listFollowers(tx)).map((pair) => ({
    id: pair.id,
    ...marketMid(pair, market).mid,
  }));
  await store.updateMids(
    tx,
    found.filter(({ mid_rate }) => mid_rate !== null),
  );
  await store.clearAwaits(
    tx,
    found.filter(({ mid_rate }) => mid_rate === null).map(({ id }) => id),
  );
  await deps.published.changed(tx, 'converter', 'rates-showcase', 'feeds');
  await tellRatesMoved(deps, tx);
}

/** `needed`: by automatic pairs and formulas. `known`: of all currencies, so that a pair can be switched to automatic at once. */
export async function unitsOfDesk(
  db: Db | Tx,
): Promise<{ readonly needed: readonly string[]; readonly known: readonly string[] }> {
  const pairs = await store.listFollowers(db);
  const needed = new Set(pairs.flatMap(unitsOf));
  return {
    needed: [...needed].toSorted(),
    known: [...new Set([...(await store.listUnits(db)), ...needed])].toSorted(),
  };
}
