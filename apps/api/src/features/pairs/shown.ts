/** A pair as an admin is shown it: with its state now, and why it has no rate. */
import type { Pair } from '@cambist/contract/pairs';
import { readMarket, type Market } from '#features/rates/market/market.ts';
import { notFound } from '#kernel/refusal.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { databaseTime } from '#platform/db/database-clock.ts';
import { present } from './answers.ts';
import { marketMid } from './mid.ts';
import { standingOf, type RatePolicy, type Standing } from './state.ts';
import * as store from './store.ts';
import type { PairRow } from './store.ts';

/** @throws Refusal 404 */
export async function show(db: Db | Tx, slug: string, policy: RatePolicy): Promise<Pair> {
  const pair = await store.findPair(db, { slug });
  if (pair === undefined) throw notFound();
  const [shown] = await showAll(db, [pair], policy);
  if (shown === undefined) throw new Error('One pair was shown as none.');
  return shown;
}

export async function showAll(
  db: Db | Tx,
  pairs: readonly PairRow[],
  policy: RatePolicy,
): Promise<Pair[]> {
  const now = await databaseTime(db);
  const market = pairs.some(({ rate_mode }) => rate_mode !== 'manual')
    ? await readMarket(db)
    : null;
  return pairs.map((pair) => {
    const standing = standingOf(pair, policy, now);
    return present(pair, market ? explained(pair, standing, market) : standing);
  });
}

/** What a customer can exchange in now, or once it opens. */
export async function onOffer(db: Db, policy: RatePolicy, now: Date): Promise<PairRow[]> {
  const pairs = await store.listOffered(db);
  return pairs.filter((pair) =>
    ['live', 'delayed', 'closed'].includes(standingOf(pair, policy, now).state),
  );
}

/** The market itself says best why it gives a pair no rate, also while the last one goes on. */
export function explained(pair: PairRow, standing: Standing, market: Market): Standing {
  if (pair.rate_mode === 'manual' || !pair.active) return standing;
  const { formula, send, receive } = pair;
  const { why } = marketMid({ formula, from: send.unit, to: receive.unit }, market);
  if (pair.mid_rate === null)
    return { ...standing, reason: why ?? 'It takes its rate with the next run.' };
  if (why === null || standing.reason !== null) return standing;
  return { ...standing, reason: `${why} The last rate goes on until a run brings one.` };
}
