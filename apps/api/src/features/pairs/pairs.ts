/** Pairs: directions between two currencies, each with its price, limits and hours. */
import type { Pair, RoundTrip } from '@cambist/contract/pairs';
import { notFound } from '#kernel/refusal.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { databaseTime } from '#platform/db/database-clock.ts';
import { listQuotable, readPair, viewAll } from './admin-view.ts';
import { insertRates } from './history/store.ts';
import { MANUAL } from './mid-rate.ts';
import { readPolicy } from './policy.ts';
import { roundTrips } from './round-trips.ts';
import { requireSwitchedOn } from './state.ts';
import * as store from './store.ts';

export { lastMidRates } from './market-rates-store.ts';
export { findPair, listForMonitors, sharePair, type ListedPair, type PairRow } from './store.ts';

type ReadDeps = Pick<Deps, 'db' | 'published'>;

export async function list(deps: ReadDeps): Promise<Pair[]> {
  return viewAll(deps.db, await store.listPairs(deps.db), await readPolicy(deps));
}

export async function listRoundTrips(deps: ReadDeps): Promise<RoundTrip[]> {
  const now = await databaseTime(deps.db);
  return roundTrips(await listQuotable(deps.db, await readPolicy(deps), now));
}

/** @throws Refusal 404 */
export async function get(deps: ReadDeps, slug: string): Promise<Pair> {
  return readPair(deps.db, slug, await readPolicy(deps));
}

/**
 * The fields and the evidence that an exchange needs; also of a closed or stale pair, since a
 * customer may still have a valid quote of it.
 * @throws Refusal 404; 409 `pair_unavailable` while it is switched off
 */
export async function requirements(db: Db, slug: string) {
  const pair = await store.findPair(db, { slug });
  if (pair === undefined) throw notFound();
  requireSwitchedOn(pair);
  return {
    sender_fields: pair.send.sender_fields,
    payout_fields: pair.receive.payout_fields,
    evidence: pair.evidence,
    pay_minutes: pair.pay_minutes,
    payout_time: pair.receive.payout_time,
  };
}

/** Adds past rates, for the demo desk. */
export async function importHistory(
  tx: Tx,
  slug: string,
  points: readonly { mid_rate: string; as_of: Date }[],
): Promise<void> {
  const pair = await store.findPair(tx, { slug });
  if (pair === undefined) throw notFound();
  await insertRates(
    tx,
    points.map((point) => ({ ...point, pair_id: pair.id, source: MANUAL, set_by: null })),
  );
}
