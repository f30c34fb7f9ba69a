/** The customer's rates as they are at this moment, for whoever compares them with something. */
import type { Db, Tx } from '#platform/db/database.ts';
import { databaseTime } from '#platform/db/database-clock.ts';
import { rates, told } from './answers.ts';
import { standingOf, type RatePolicy } from './state.ts';
import { listPairsById, type PairRow } from './store.ts';

export interface RateNow extends ReturnType<typeof told> {
  readonly pair: PairRow;
  /** Below the first tier, with just the digits that it was rounded to; null while it is paused. */
  readonly rate: string | null;
}

/** Of these pairs, by their ids. In two statements, whatever their number. */
export async function ratesNow(
  db: Db | Tx,
  policy: RatePolicy,
  ids: readonly string[],
): Promise<RateNow[]> {
  const pairs = await listPairsById(db, ids);
  const now = await databaseTime(db);
  return pairs.map((pair) => {
    const standing = standingOf(pair, policy, now);
    const rate = standing.state === 'paused' ? null : rates(pair).rate;
    return { pair, rate, ...told(standing) };
  });
}
