/** Scheduled tasks as admins see them, and running one by hand. */
import type { ScheduledTask, TaskRun } from '@cambist/contract/tasks';
import type { By } from '#kernel/actor.ts';
import { notFound, Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { nextSlot, runSlot, type Task } from '#platform/jobs/scheduler.ts';
import { takeSlotNow } from '#platform/jobs/task-runs.ts';
import * as store from './store.ts';

/** The queue of requested runs. */
export const TASK_RUNS = 'task-runs';

const SHOWN_RUNS = 10;

export async function list(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  tasks: readonly Task[],
): Promise<ScheduledTask[]> {
  const now = clock();
  const runs = await store.listRuns(
    db,
    tasks.map(({ name }) => name),
    SHOWN_RUNS,
  );
  return tasks
    .map((task) => ({
      name: task.name,
      cron: task.cron,
      next_slot: nextSlot(task, now)?.toISOString() ?? null,
      runs: runs.filter((run) => run.task === task.name).map(present),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** @throws Refusal 404; 409 `task_running` */
export async function askFor(
  { db, clock, jobs }: Pick<Deps, 'db' | 'clock' | 'jobs'>,
  tasks: readonly Task[],
  by: By,
  name: string,
): Promise<TaskRun> {
  if (!tasks.some((task) => task.name === name)) throw notFound();
  const now = clock();
  return transaction(db, async (tx) => {
    if (!(await takeSlotNow(tx, { task: name, askedBy: by.actor.id, now })))
      throw new Refusal(409, 'task_running', 'This task is running already.');
    await jobs.enqueue(tx, TASK_RUNS, { task: name, slot: now.toISOString() });
    await record(tx, { ...by, action: 'task.run', subject_kind: 'task', subject_id: name });
    const run = await store.findRun(tx, name, now);
    if (run === undefined) throw notFound();
    return present(run);
  });
}

/** Runs the requested task; again if the process ended during the run. */
export async function runAsked(
  deps: Pick<Deps, 'db' | 'clock' | 'log'>,
  tasks: readonly Task[],
  data: unknown,
  stopping: AbortSignal,
): Promise<void> {
  const { task: name, slot } = data as { task: string; slot: string };
  const task = tasks.find((each) => each.name === name);
  const run = await store.findRun(deps.db, name, new Date(slot));
  // A newer version may not have the task, and an earlier attempt may have finished the run.
  if (task === undefined || run === undefined || run.finished_at !== null) return;
  const { started_at: startedAt, asked_by: askedBy } = run;
  await runSlot(deps, task, { task: name, slot: run.slot, startedAt, askedBy }, stopping);
}

function present(run: store.RunRow): TaskRun {
  const { slot, started_at, finished_at, outcome, detail, asker } = run;
  return {
    slot: slot.toISOString(),
    started_at: started_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
    outcome,
    detail,
    asked_by: asker,
  };
}
