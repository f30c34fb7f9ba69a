/**
 * Scheduled tasks: one tick a minute. A slot of a task is run by whoever inserts
 * its `task_runs` row, so any number of processes may tick; slots that were
 * missed while nothing ran collapse into the latest one.
 */
import { Cron } from 'croner';
import type { FastifyBaseLogger } from 'fastify';
import { DAY, MINUTE, type Clock } from '#kernel/clock.ts';
import type { Db } from './database.ts';
import { forgetIdempotencyKeys } from './idempotency.ts';

export interface Task {
  readonly name: string;
  /** A croner pattern with minutes as its finest part, in UTC: `0 * * * *`. */
  readonly cron: string;
  /** `now` is the slot's moment, not the clock's. What it returns is kept as the run's detail. */
  run(now: Date): Promise<string | void>;
}

export interface SchedulerDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'debug' | 'info' | 'error'>;
}

export interface Scheduler {
  /** Runs every task whose latest slot nobody has taken. Never throws for a task's failure. */
  tick(now?: Date): Promise<void>;
  /** Ticks at once and then at every full minute, until `stop`. */
  start(): void;
  /** Resolves when running tasks have ended. */
  stop(): Promise<void>;
}

/** A slot older than this was missed for too long to be made up for. */
const CATCH_UP_MS = DAY;
const KEEP_RUNS_MS = 30 * DAY;
const DETAIL_LENGTH = 500;
const UNDER_A_MINUTE = /^\s*(\S+\s+){5}\S+\s*$/;

export function openScheduler(deps: SchedulerDeps, featureTasks: readonly Task[]): Scheduler {
  const crons = new Map(allTasks(deps.db, featureTasks).map((task) => [task, patternOf(task)]));
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  async function tick(now: Date = deps.clock()): Promise<void> {
    await Promise.all([...crons].map(([task, cron]) => runLatestSlot(deps, task, cron, now)));
  }

  function tickAndPlanNext(): void {
    if (stopped) return;
    const tickEnd = tick()
      .catch((error: unknown) => deps.log.error({ err: error }, 'The scheduler could not tick.'))
      .finally(() => running.delete(tickEnd));
    running.add(tickEnd);
    // A little after the full minute, so that a clock that is slightly behind
    // does not find itself in the minute before.
    timer = setTimeout(tickAndPlanNext, MINUTE - (deps.clock().getTime() % MINUTE) + 50);
  }

  return {
    tick,
    start: tickAndPlanNext,
    async stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}

/** The features' tasks and the platform's own. */
export function allTasks(db: Db, featureTasks: readonly Task[]): readonly Task[] {
  return [...featureTasks, forgetOldRuns(db), forgetIdempotencyKeys(db)];
}

/** The pattern's first moment after `now`; null for a pattern that has none. */
export function nextSlot(task: Pick<Task, 'name' | 'cron'>, now: Date): Date | null {
  return patternOf(task).nextRun(now);
}

/** One tick and the end of it, for a process that a system timer starts every minute. */
export function tickOnce(deps: SchedulerDeps, tasks: readonly Task[]): Promise<void> {
  return openScheduler(deps, tasks).tick();
}

function patternOf({ name, cron }: Pick<Task, 'name' | 'cron'>): Cron {
  if (UNDER_A_MINUTE.test(cron))
    throw new Error(`The task ${name} cannot run more often than each minute.`);
  return new Cron(cron, { timezone: 'UTC' });
}

async function runLatestSlot(
  deps: SchedulerDeps,
  task: Task,
  cron: Cron,
  now: Date,
): Promise<void> {
  const slot = latestSlot(cron, now);
  if (slot === null) return;
  const taken = await deps.db
    .insertInto('task_runs')
    .values({
      task: task.name,
      slot,
      started_at: deps.clock(),
      finished_at: null,
      outcome: null,
      detail: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (taken.numInsertedOrUpdatedRows === 1n) await runSlot(deps, task, slot);
}

/** Runs a slot that the caller has taken, and writes down what became of it. Never throws for the task's failure. */
export async function runSlot(deps: SchedulerDeps, task: Task, slot: Date): Promise<void> {
  const { db, log } = deps;
  let outcome: 'done' | 'failed' = 'done';
  let detail: string | null = null;
  try {
    detail = (await task.run(slot)) ?? null;
    log.debug({ task: task.name, slot, detail }, 'A scheduled task ran.');
  } catch (error) {
    outcome = 'failed';
    detail =
      error instanceof Error
        ? `${error.name}: ${error.message}`
        : 'It threw something that is no error.';
    log.error({ err: error, task: task.name, slot }, 'A scheduled task failed.');
  }
  await db
    .updateTable('task_runs')
    .set({ finished_at: deps.clock(), outcome, detail: detail?.slice(0, DETAIL_LENGTH) ?? null })
    .where('task', '=', task.name)
    .where('slot', '=', slot)
    .execute();
}

/** The pattern's last moment that is not after `now`, or null when it is too long ago. */
function latestSlot(cron: Cron, now: Date): Date | null {
  // One millisecond on, since a run at the very moment does not count as past.
  const [slot] = cron.previousRuns(1, new Date(now.getTime() + 1));
  return slot === undefined || now.getTime() - slot.getTime() > CATCH_UP_MS ? null : slot;
}

function forgetOldRuns(db: Db): Task {
  return {
    name: 'forget-task-runs',
    cron: '17 3 * * *',
    async run(now) {
      const { numDeletedRows } = await db
        .deleteFrom('task_runs')
        .where('started_at', '<', new Date(now.getTime() - KEEP_RUNS_MS))
        .executeTakeFirst();
      return `${numDeletedRows} forgotten`;
    },
  };
}
