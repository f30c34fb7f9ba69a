/**
 * Scheduled tasks: one tick a minute, by the database's clock; none on a machine whose own clock is wrong. The
 * process that takes a slot's `task_runs` row runs it, so any number of processes may tick. Of several missed
 * slots only the latest is run.
 */
import { Cron } from 'croner';
import type { FastifyBaseLogger } from 'fastify';
import { DAY, MINUTE, type Clock } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { requireRightClock, type DatabaseClock } from '#platform/db/database-clock.ts';
import type { Db } from '#platform/db/database.ts';
import { forgetIdempotencyKeys } from '#platform/http/idempotency.ts';
import { endRun, STOPPED, takeSlot, type TakenSlot } from './task-runs.ts';

export interface Task {
  readonly name: string;
  /** A croner pattern with minutes as its finest part, in UTC: `0 * * * *`. */
  readonly cron: string;
  /** Whether to run a slot again after its run was stopped or lost with its process. */
  readonly again?: boolean;
  /**
   * `now` is the time of the slot. The result is stored as the run's detail. A long task must end when
   * `signal` aborts, by throwing its reason. `askedBy` is the admin who requested this run, if any.
   */
  run(now: Date, signal: AbortSignal, askedBy?: Id | null): Promise<string | void>;
}

export interface SchedulerDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly databaseClock: DatabaseClock;
  readonly log: Pick<FastifyBaseLogger, 'debug' | 'info' | 'error'>;
}

export interface Scheduler {
  /** Runs every task whose latest slot is free. Throws on errors of the database, or if the clock is wrong. */
  tick(now?: Date): Promise<void>;
  /** Ticks at once and then at every full minute, until `stop`. */
  start(): void;
  /** Stops running tasks, and resolves when they have ended. */
  stop(): Promise<void>;
}

/** Older missed slots are not run. */
const CATCH_UP_MS = DAY;
const KEEP_RUNS_MS = 30 * DAY;
const DETAIL_LENGTH = 500;
const UNDER_A_MINUTE = /^\s*(\S+\s+){5}\S+\s*$/;

export function openScheduler(deps: SchedulerDeps, featureTasks: readonly Task[]): Scheduler {
  const crons = new Map(allTasks(deps.db, featureTasks).map((task) => [task, patternOf(task)]));
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | null = null;

  async function tick(at?: Date): Promise<void> {
    await requireRightClock(deps.databaseClock);
    const now = at ?? deps.clock();
    const ends = await Promise.allSettled(
      [...crons].map(([task, cron]) => runLatestSlot(deps, task, cron, now, stopping.signal)),
    );
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  function tickAndPlanNext(): void {
    if (stopping.signal.aborted) return;
    const tickEnd = tick()
      .catch((error: unknown) => deps.log.error({ err: error }, 'The scheduler could not tick.'))
      .finally(() => running.delete(tickEnd));
    running.add(tickEnd);
    // A little after the full minute, in case the clock is slightly behind.
    timer = setTimeout(tickAndPlanNext, MINUTE - (deps.clock().getTime() % MINUTE) + 50);
  }

  return {
    tick,
    start: tickAndPlanNext,
    async stop() {
      stopping.abort();
      if (timer) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}

/** The features' tasks and the platform's own. */
export function allTasks(db: Db, featureTasks: readonly Task[]): readonly Task[] {
  return [...featureTasks, forgetOldRuns(db), forgetIdempotencyKeys(db)];
}

/** The first slot after `now`; null if there is none. */
export function nextSlot(task: Pick<Task, 'name' | 'cron'>, now: Date): Date | null {
  return patternOf(task).nextRun(now);
}

/** One tick, for a process that a system timer starts every minute. */
export async function tickOnce(
  deps: SchedulerDeps,
  tasks: readonly Task[],
  signal: AbortSignal,
): Promise<void> {
  const scheduler = openScheduler(deps, tasks);
  signal.addEventListener('abort', () => void scheduler.stop());
  await scheduler.tick();
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
  signal: AbortSignal,
): Promise<void> {
  const slot = latestSlot(cron, now);
  if (slot === null || signal.aborted) return;
  const { name, again = false } = task;
  const startedAt = deps.clock();
  if (await takeSlot(deps.db, { task: name, slot, now: startedAt, again }))
    await runSlot(deps, task, { task: name, slot, startedAt, askedBy: null }, signal);
}

/** Runs a slot that the caller has taken, and stores the outcome. A failure of the task does not throw. */
export async function runSlot(
  deps: Omit<SchedulerDeps, 'databaseClock'>,
  task: Task,
  taken: TakenSlot,
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = deps;
  const { slot, askedBy } = taken;
  let outcome: 'done' | 'failed' = 'done';
  let detail: string | null = null;
  try {
    detail = (await task.run(slot, signal, askedBy)) ?? null;
    log.debug({ task: task.name, slot, detail }, 'A scheduled task ran.');
  } catch (error) {
    outcome = 'failed';
    if (signal.aborted && error === signal.reason) {
      detail = STOPPED;
      log.info({ task: task.name, slot }, 'A scheduled task was stopped.');
    } else {
      detail =
        error instanceof Error
          ? `${error.name}: ${error.message}`
          : 'The task threw something that is not an error.';
      log.error({ err: error, task: task.name, slot }, 'A scheduled task failed.');
    }
  }
  const end = {
    finished_at: deps.clock(),
    outcome,
    detail: detail?.slice(0, DETAIL_LENGTH) ?? null,
  };
  await endRun(db, taken, end);
}

/** The last slot up to `now`; null when it is too long ago. */
function latestSlot(cron: Cron, now: Date): Date | null {
  // Plus one millisecond: a run at `now` itself does not count as previous.
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
