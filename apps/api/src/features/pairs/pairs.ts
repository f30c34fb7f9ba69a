/**
 * Pairs: directions between two currencies, each with its price, limits and
 * times. An exchange freezes the figures it was made with, so changing a pair
 * concerns only what comes after.
 */
import type { Pair, RoundTrip } from '@cambist/contract/pairs';
import { notFound } from '#kernel/refusal.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { databaseTime } from '#platform/db/database-clock.ts';
import { insertRates } from './history/past-store.ts';
import { MANUAL } from './mid.ts';
import { requireSwitchedOn } from './offer.ts';
import { readPolicy } from './policy.ts';
import { roundTrips } from './round-trips.ts';
import { onOffer, show, showAll } from './shown.ts';
import * as store from './store.ts';
import type { PairRow } from './store.ts';

export { create, setRate, update } from './editor/editing.ts';
export { lastMids } from './flow-store.ts';
export { flow, unitsOfDesk } from './flow.ts';
export {
  breakdownOf,
  brokenLimit,
  brokenPromise,
  brokenVolume,
  figuresOf,
  priceOf,
  quoteRefusal,
  requireSwitchedOn,
  shownRate,
  withUnit,
  type Figures,
} from './offer.ts';
export { readPolicy } from './policy.ts';
export { sendLimits, terms } from './price.ts';
export { ratesNow, type RateNow } from './rate-now.ts';
export { RATES_MOVED } from './rates-moved.ts';
export { standingOf, type RatePolicy } from './state.ts';
export { findPair, listForMonitors, type ListedPair, type PairRow } from './store.ts';

type ReadDeps = Pick<Deps, 'db' | 'published'>;

/**
 * The pair, unchanged until the transaction ends; several may hold it so. Whoever is changing it is
 * waited for: once a switch is off, nothing that looked before comes after.
 */
export function sharePair(tx: Tx, id: string): Promise<PairRow | undefined> {
  return store.sharePair(tx, id);
}

export async function list(deps: ReadDeps): Promise<Pair[]> {
  return showAll(deps.db, await store.listPairs(deps.db), await readPolicy(deps));
}

/** Exchanges back and forth that would pay the customer, the largest gain first. */
export async function listRoundTrips(deps: ReadDeps): Promise<RoundTrip[]> {
  const now = await databaseTime(deps.db);
  return roundTrips(await onOffer(deps.db, await readPolicy(deps), now));
}

/** @throws Refusal 404 */
export async function get(deps: ReadDeps, slug: string): Promise<Pair> {
  return show(deps.db, slug, await readPolicy(deps));
}

/**
 * The fields and the evidence that the desk will ask for; also of a pair that is
 * closed or stale, since a quote of it may still be held.
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

/** Rates from before the pair was in this database: for a desk that moves in, and for the demo. */
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
