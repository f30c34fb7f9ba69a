/** The database's clock, which every process shares. */
import { sql, type RawBuilder } from 'kysely';
import { SECOND, type Clock } from '#kernel/clock.ts';
import type { Db, Tx } from './database.ts';

/** Clocks that are less apart count as the same. */
const TOLERANCE_MS = SECOND;

/** The start of the transaction. */
export async function databaseTime(db: Db | Tx): Promise<Date> {
  return read(db, sql<Date>`now()`);
}

/**
 * `clock`, moved by as much as this process's own is off the database's now: what one process dates is
 * compared with what another one did, and one that is an hour behind would make old what it has just heard.
 */
export async function sharedClock({
  db,
  clock,
}: {
  readonly db: Db | Tx;
  readonly clock: Clock;
}): Promise<Clock> {
  const before = Date.now() - TOLERANCE_MS;
  // Not the start of a transaction that may have waited for a lock.
  const theirs = (await read(db, sql<Date>`clock_timestamp()`)).getTime();
  const after = Date.now() + TOLERANCE_MS;
  const aheadMs = theirs < before ? theirs - before : theirs > after ? theirs - after : 0;
  return () => new Date(clock().getTime() + aheadMs);
}

async function read(db: Db | Tx, time: RawBuilder<Date>): Promise<Date> {
  const { at } = await db.selectNoFrom(time.as('at')).executeTakeFirstOrThrow();
  return at;
}
