/** Runs of scheduled tasks that somebody asks for by hand, beside the slots of their patterns. */
import { sql as query } from 'kysely';
import { MINUTE } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import type { Tx } from './database.ts';

/** Longer than any task takes: its process has ended in the middle of it. */
const LOST_AFTER_MS = 15 * MINUTE;

/** Takes a slot at `now` for the caller; false while the task is running. */
export async function takeSlotNow(
  tx: Tx,
  { task, askedBy, now }: { readonly task: string; readonly askedBy: Id; readonly now: Date },
): Promise<boolean> {
  // Two who ask at once: the second one sees the first one's row.
  await query`select pg_advisory_xact_lock(hashtextextended(${`task ${task}`}, 0))`.execute(tx);
  const running = await tx
    .selectFrom('task_runs')
    .select('slot')
    .where('task', '=', task)
    .where('finished_at', 'is', null)
    .where('started_at', '>', new Date(now.getTime() - LOST_AFTER_MS))
    .executeTakeFirst();
  if (running) return false;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('task_runs')
    .values({ task, slot: now, started_at: now, asked_by: askedBy })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}
