/**
 * The clock of the synchronisation. Pairs are judged by the database's clock, so what a run confirms must be
 * dated by it too: a process that is an hour behind would make rates old that it has just heard.
 */
import { SECOND, type Clock } from '#kernel/clock.ts';
import { databaseTime } from '#features/market/market.ts';
import type { Deps } from '#platform/deps.ts';

/** Clocks that are less apart count as the same. */
const TOLERANCE_MS = SECOND;

/** `clock`, moved by as much as this process's own is off the database's now. */
export async function runClock({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Clock> {
  const before = Date.now() - TOLERANCE_MS;
  const theirs = (await databaseTime(db)).getTime();
  const after = Date.now() + TOLERANCE_MS;
  const aheadMs = theirs < before ? theirs - before : theirs > after ? theirs - after : 0;
  return () => new Date(clock().getTime() + aheadMs);
}
