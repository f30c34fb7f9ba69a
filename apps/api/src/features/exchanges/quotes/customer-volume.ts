/** What one person has sent in a direction lately. Rolling windows: no midnight at which twice the limit passes. */
import { DAY } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { brokenVolume, type PairRow } from '#features/pairs/pairs.ts';
import { sentSince } from '../store/exchanges.ts';

const MONTH_MS = 30 * DAY;

/** Which limit of a day or a month `sendMinor` more would break, as a sentence; null when it keeps both. */
export async function volumeFault(
  db: Db | Tx,
  pair: PairRow,
  { userId, sendMinor, now }: { userId: Id; sendMinor: bigint; now: Date },
): Promise<string | null> {
  if (pair.day_max_send === null && pair.month_max_send === null) return null;
  const sent = await sentSince(db, {
    userId,
    pairId: pair.id,
    day: new Date(now.getTime() - DAY),
    month: new Date(now.getTime() - MONTH_MS),
  });
  return brokenVolume(pair, sent, sendMinor);
}
