/** The runs of scheduled tasks: taking a slot and storing its outcome. A task runs only once at a time, across all processes. */
import { sql as query } from 'kysely';
import { TASK_LOST_AFTER_MS } from '@cambist/contract/tasks';
import type { Id } from '#kernel/id.ts';
import { transaction, type Db, type Tx } from '#platform/db/database.ts';

/** The detail of a run whose process was shutting down. */
export const STOPPED = 'Stopped together with the service.';
/** The detail of a run that never ended. */
export const LOST = 'Its process ended during the run.';

/** Takes a slot at `now` for the caller; false while the task is running. */
export async function takeSlotNow(
  tx: Tx,
  { task, askedBy, now }: { readonly task: string; readonly askedBy: Id; readonly now: Date },
): Promise<boolean> {
  if (!(await endLostRuns(tx, task, now))) return false;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('task_runs')
    .values({ task, slot: now, started_at: now, asked_by: askedBy })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export interface Slot {
  readonly task: string;
  readonly slot: Date;
  readonly now: Date;
  /** Whether to run this slot again after a lost or stopped run. */
  readonly again: boolean;
}

/** Takes a scheduled slot; false when it is taken, or the task is running. */
export async function takeSlot(db: Db, { task, slot, now, again }: Slot): Promise<boolean> {
  // Most ticks find their slot taken and need no lock.
  if ((await stateOf(db, task, slot, now)) === 'taken') return false;
  return transaction(db, async (tx) => {
    if (!(await endLostRuns(tx, task, now))) return false;
    const state = await stateOf(tx, task, slot, now);
    if (state === 'taken' || (state === 'unfinished' && !again)) return false;
    const begun = { started_at: now, finished_at: null, outcome: null, detail: null };
    await tx
      .insertInto('task_runs')
      .values({ task, slot, ...begun })
      .onConflict((conflict) => conflict.columns(['task', 'slot']).doUpdateSet(begun))
      .execute();
    return true;
  });
}

/** `unfinished`: the run was lost or stopped. */
async function stateOf(
  db: Db | Tx,
  task: string,
  slot: Date,
  now: Date,
): Promise<'free' | 'taken' | 'unfinished'> {
  const row = await db
    .selectFrom('task_runs')
    .select(['started_at', 'finished_at', 'detail'])
    .where('task', '=', task)
    .where('slot', '=', slot)
    .executeTakeFirst();
  if (row === undefined) return 'free';
  if (row.finished_at === null) return isLost(row.started_at, now) ? 'unfinished' : 'taken';
  return row.detail === STOPPED || row.detail === LOST ? 'unfinished' : 'taken';
}

/** In both directions: a clock that was ahead must not block the task until then. */
function isLost(startedAt: Date, now: Date): boolean {
  return Math.abs(now.getTime() - startedAt.getTime()) > TASK_LOST_AFTER_MS;
}

/** Marks lost runs as failed; false while the task is running. Concurrent callers are serialized. */
async function endLostRuns(tx: Tx, task: string, now: Date): Promise<boolean> {
  await query`select pg_advisory_xact_lock(hashtextextended(${`task ${task}`}, 0))`.execute(tx);
  const [from, to] = [-1, 1].map((way) => new Date(now.getTime() + way * TASK_LOST_AFTER_MS));
  if (from === undefined || to === undefined) return false;
  const unfinished = tx
    .updateTable('task_runs')
    .set({ finished_at: now, outcome: 'failed', detail: LOST })
    .where('task', '=', task)
    .where('finished_at', 'is', null);
  await unfinished
    .where((where) => where.or([where('started_at', '<', from), where('started_at', '>', to)]))
    .execute();
  const running = await tx
    .selectFrom('task_runs')
    .select('slot')
    .where('task', '=', task)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return running === undefined;
}

export interface TakenSlot {
  readonly task: string;
  readonly slot: Date;
  readonly startedAt: Date;
  /** The admin who requested it; null for the schedule. */
  readonly askedBy: Id | null;
}

/** Writes nothing if the run was marked as lost meanwhile. */
export async function endRun(
  db: Db,
  { task, slot, startedAt }: TakenSlot,
  end: {
    readonly finished_at: Date;
    readonly outcome: 'done' | 'failed';
    readonly detail: string | null;
  },
): Promise<void> {
  await db
    .updateTable('task_runs')
    .set(end)
    .where('task', '=', task)
    .where('slot', '=', slot)
    .where('started_at', '=', startedAt)
    .where('finished_at', 'is', null)
    .execute();
}
