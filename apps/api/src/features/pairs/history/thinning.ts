/**
 * The history of rates grows by every run and every change by hand. It stays
 * whole for two days, then the last rate of each hour stays for a month, then
 * that of each day. A night looks only at what has grown too old since the last.
 */
import { DAY, HOUR } from '#kernel/clock.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import * as store from './past-store.ts';

const WHOLE_MS = 2 * DAY;
const HOURLY_MS = 30 * DAY;
/** So much at once: the first night of a long history ends, and keeps what it has done. */
const MOST_AT_ONCE_MS = 30 * DAY;

/** Answers how many went, for the task's record. */
export async function thin({ db, clock }: Pick<Deps, 'clock' | 'db'>): Promise<string> {
  const now = clock().getTime();
  const ends = { hour: startOf(HOUR, now - WHOLE_MS), day: startOf(DAY, now - HOURLY_MS) };
  let count = 0n;
  for (const step of ['hour', 'day'] as const) {
    for (;;) {
      const gone = await transaction(db, (tx) => advance(tx, step, ends[step]));
      if (gone === null) break;
      count += gone;
    }
  }
  return `${count} thinned`;
}

/** One stretch more; null where all is thinned up to `end` already. */
async function advance(tx: Tx, step: 'hour' | 'day', end: number): Promise<bigint | null> {
  const thinned = await store.readThinned(tx);
  const done = thinned ?? (await beginning(tx));
  if (done === null) return null;
  const column = step === 'hour' ? 'hourly_until' : 'daily_until';
  const from = done[column].getTime();
  if (from >= end) return null;
  const until = new Date(Math.min(end, from + MOST_AT_ONCE_MS));
  const count = await store.thinRates(tx, { from: new Date(from), until, step });
  await store.keepThinned(tx, { ...done, [column]: until });
  return count;
}

async function beginning(tx: Tx) {
  const oldest = await store.oldestRate(tx);
  if (oldest === null) return null;
  const day = new Date(startOf(DAY, oldest.getTime()));
  return { hourly_until: day, daily_until: day };
}

/** An hour and a day are thinned as one. */
function startOf(length: number, time: number): number {
  return time - (time % length);
}
