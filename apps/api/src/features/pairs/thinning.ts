/**
 * The history of rates grows by every run and every change by hand. It stays
 * whole for two days, then one rate an hour stays for a month, then one a day.
 */
import { DAY } from '#kernel/clock.ts';
import { transaction } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { thinRates } from './store.ts';

const WHOLE_MS = 2 * DAY;
const HOURLY_MS = 30 * DAY;

/** Answers how many went, for the task's record. */
export async function thin({ db, clock }: Pick<Deps, 'clock' | 'db'>): Promise<string> {
  const now = clock().getTime();
  const [whole, hourly] = [new Date(now - WHOLE_MS), new Date(startOfDay(now - HOURLY_MS))];
  const count = await transaction(db, (tx) => thinRates(tx, { whole, hourly }));
  return `${count} thinned`;
}

/** A day is thinned as one. */
function startOfDay(time: number): number {
  return time - (time % DAY);
}
