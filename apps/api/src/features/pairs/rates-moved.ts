/**
 * Word that customers' rates may have moved, for whoever watches them: a job,
 * written in the transaction that moved them, so that no crash loses it. At most
 * one waits; whoever takes it reads the rates as they are then.
 */
import type { Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';

/** The queue of it. */
export const RATES_MOVED = 'rates-moved';

export async function tellRatesMoved({ jobs }: Pick<Deps, 'jobs'>, tx: Tx): Promise<void> {
  await jobs.enqueue(tx, RATES_MOVED, {}, { key: 'all' });
}
