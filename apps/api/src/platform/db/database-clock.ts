/**
 * The database's clock, which all processes share. `deps.clock` follows it, so that slots, sessions and
 * deletions do not depend on the clock of a machine.
 */
import { sql, type RawBuilder } from 'kysely';
import { MINUTE, SECOND, type Clock } from '#kernel/clock.ts';
import type { Db, Tx } from './database.ts';

/** See `requireRightClock`. */
const MOST_APART_MS = MINUTE;

/** The start of the transaction. */
export async function databaseTime(db: Db | Tx): Promise<Date> {
  return read(db, sql<Date>`now()`);
}

export interface DatabaseClock {
  /** The database's time as last read, advanced by the monotonic clock; the machine's until the first read. */
  readonly now: Clock;
  /** Reads the database's time; returns how many milliseconds the machine's clock is ahead of it. */
  sync(): Promise<number>;
}

export function openDatabaseClock(db: Db): DatabaseClock {
  let atZeroMs = Date.now() - performance.now();
  const nowMs = () => atZeroMs + performance.now();
  return {
    now: () => new Date(nowMs()),
    async sync() {
      const [before, ownBefore] = [nowMs(), Date.now()];
      const theirs = (await read(db, sql<Date>`clock_timestamp()`)).getTime();
      const [after, ownAfter] = [nowMs(), Date.now()];
      // The time was read between the two moments: make the smallest step that agrees with both.
      atZeroMs += outside(theirs, before, after);
      return -outside(theirs, ownBefore, ownAfter);
    },
  };
}

/** A clock that is never off, for tests. */
export function fixedClock(now: Clock): DatabaseClock {
  return { now, sync: async () => 0 };
}

/** How far `value` lies below `from` (negative) or above `to`. */
function outside(value: number, from: number, to: number): number {
  return value < from ? value - from : value > to ? value - to : 0;
}

/** @throws {Error} where the machine's clock is more than a minute off the database's */
export async function requireRightClock(clock: DatabaseClock): Promise<void> {
  const aheadMs = await clock.sync();
  if (Math.abs(aheadMs) <= MOST_APART_MS) return;
  const seconds = Math.round(Math.abs(aheadMs) / SECOND);
  throw new Error(
    `The clock of this machine is ${seconds} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's. Set it right; until then no scheduled task runs here.`,
  );
}

async function read(db: Db | Tx, time: RawBuilder<Date>): Promise<Date> {
  const { at } = await db.selectNoFrom(time.as('at')).executeTakeFirstOrThrow();
  return at;
}
