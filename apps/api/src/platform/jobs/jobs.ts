/**
 * Jobs to run after commit. A job is written in the transaction that causes it, so it exists exactly when the
 * effect does. It runs at least once, so handlers must be repeatable. pg-boss runs them: leases with
 * heartbeats, retries with growing delays, and a queue for jobs that failed ten times, unless theirs names
 * attempts and a queue of its own.
 */
import { sql as query } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import { PgBoss, type Db as BossDatabase, type Job } from 'pg-boss';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import { openBossDatabase } from './boss-database.ts';
import { connect, type Sql, type Tx } from '#platform/db/database.ts';
import { createQueue, insertJobs, type KeyedJob, type NewJob } from './job-rows.ts';
import type { Notices } from '#platform/cache/notices.ts';

export interface JobRun {
  readonly id: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** Aborts when the workers are to stop. */
  readonly stopping: AbortSignal;
}

/** May run more than once for the same job. A job that throws is retried. */
export type JobHandler = (data: unknown, job: JobRun) => Promise<void>;

/** A queue with its own number of attempts and a handler for jobs that failed for good. */
export interface JobQueue {
  readonly handler: JobHandler;
  readonly attempts: number;
  /** Runs once the last attempt has failed, or its worker has died; at least once. */
  readonly onFailed: (data: unknown) => Promise<void>;
}

export interface EnqueueOptions {
  readonly startAfter?: Date;
  /** A queue has at most one waiting job with this key: a second one replaces its data. */
  readonly key?: string;
}

export interface Jobs {
  /** The handler may start as soon as `tx` has committed. */
  enqueue(
    tx: Tx,
    queue: string,
    data: Record<string, unknown>,
    options?: EnqueueOptions,
  ): Promise<void>;
  /** For many jobs at once, with different keys. */
  enqueueAll(tx: Tx, queue: string, jobs: readonly KeyedJob[]): Promise<void>;
  /** Runs all jobs of a queue that wait for a retry as soon as `tx` has committed. */
  retryNow(tx: Tx, queue: string): Promise<void>;
  /** Deletes the jobs with this key in any state, dead letters included. */
  forget(tx: Tx, queue: string, key: string): Promise<void>;
  /** Deletes jobs completed before `done` and dead letters from before `dead`; returns how many. */
  forgetOld(tx: Tx, queue: string, before: { done: Date; dead: Date }): Promise<number>;
  start(queues: Readonly<Record<string, JobHandler | JobQueue>>): Promise<void>;
  /** Takes no more jobs and waits for the running ones, at most 20 seconds. */
  stop(): Promise<void>;
}

export interface JobsDeps {
  readonly sql: Sql;
  readonly notices: Notices;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  /** How often to poll for waiting jobs and lost leases. New jobs are announced at once. */
  readonly pollMs?: number;
}

const SCHEMA = 'jobs';
const DEAD_LETTERS = 'dead-letters';
const CHANNEL = 'jobs';
const MAX_ATTEMPTS = 10;
const WORKERS_PER_QUEUE = 2;
const POLL_MS = 10 * SECOND;
const STOP_MS = 20 * SECOND;

const seconds = (ms: number) => ms / SECOND;
/**
 * `short`: one waiting job for a key. Delays grow from 5 seconds to an hour, so ten attempts span about an hour
 * and a half. A worker without a heartbeat for 30 seconds loses its job.
 */
const QUEUE = {
  policy: 'short',
  retryLimit: MAX_ATTEMPTS - 1,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: seconds(HOUR),
  expireInSeconds: seconds(15 * MINUTE),
  heartbeatSeconds: seconds(30 * SECOND),
  retentionSeconds: seconds(30 * DAY),
  deleteAfterSeconds: seconds(7 * DAY),
  deadLetter: DEAD_LETTERS,
} as const;

const CREATE_QUEUE = 'select jobs.create_queue($1, $2::jsonb)';
const DEAD_LETTER_QUEUE = { policy: 'standard', retentionSeconds: seconds(365 * DAY) } as const;

export function openJobs(deps: JobsDeps): Jobs {
  let boss: OpenBoss | null = null;
  let stopping = new AbortController();
  let stopListening: (() => void) | null = null;

  async function insert(tx: Tx, queue: string, jobs: readonly NewJob[], startAfter?: Date) {
    // In one round trip; the notice is sent at the end of the transaction.
    const [isInserted] = await Promise.all([
      insertJobs(tx, queue, jobs, startAfter),
      deps.notices.notify(tx, CHANNEL, { queue }),
    ]);
    if (isInserted) return;
    await createQueue(tx, queue, QUEUE);
    await insertJobs(tx, queue, jobs, startAfter);
  }

  return {
    async enqueue(tx, queue, data, { key = null, startAfter } = {}) {
      await insert(tx, queue, [{ key, data }], startAfter);
    },

    async enqueueAll(tx, queue, jobs) {
      if (jobs.length > 0) await insert(tx, queue, jobs);
    },

    async retryNow(tx, queue) {
      await query`update jobs.job_common set start_after = now()
        where name = ${queue} and state = 'retry'`.execute(tx);
      await deps.notices.notify(tx, CHANNEL, { queue });
    },

    async forget(tx, queue, key) {
      await query`delete from jobs.job_common where singleton_key = ${key}
        and (name = ${queue} or (name = ${DEAD_LETTERS} and source_name = ${queue}))`.execute(tx);
    },

    async forgetOld(tx, queue, { done, dead }) {
      const { numAffectedRows = 0n } = await query`delete from jobs.job_common
        where (name = ${queue} and completed_on < ${done})
          or (name = ${DEAD_LETTERS} and source_name = ${queue} and created_on < ${dead})`.execute(
        tx,
      );
      return Number(numAffectedRows);
    },

    async start(given) {
      const queues = Object.entries(given).flatMap(workersOf);
      if (boss !== null || queues.length === 0) return;
      boss = openBoss(deps);
      stopping = new AbortController();
      await boss.queue.start();
      const wake = await startWorkers(boss, deps, queues, stopping.signal);
      stopListening = await deps.notices.listen(
        CHANNEL,
        ({ queue }) => wake(String(queue)),
        () => wake(null),
      );
    },

    async stop() {
      stopListening?.();
      stopListening = null;
      stopping.abort();
      const stopped = boss;
      boss = null;
      await stopped?.stop();
    },
  };
}

/** Creates or updates the tables of pg-boss. Safe to call at every start. */
export async function installJobs(databaseUrl: string): Promise<void> {
  const sql = connect(databaseUrl, 2);
  const { db, close } = openBossDatabase(sql);
  const queue = new PgBoss({ db, schema: SCHEMA, supervise: false, schedule: false });
  queue.on('error', () => undefined);
  try {
    await queue.start();
    await db.executeSql(CREATE_QUEUE, [DEAD_LETTERS, DEAD_LETTER_QUEUE]);
  } finally {
    await queue.stop({ graceful: false, close: false });
    await close();
    await sql.end({ timeout: 5 });
  }
}

interface OpenBoss {
  readonly queue: PgBoss;
  readonly db: BossDatabase;
  stop(): Promise<void>;
}

function openBoss({ sql, log, pollMs = POLL_MS }: JobsDeps): OpenBoss {
  const { db, close } = openBossDatabase(sql);
  const queue = new PgBoss({
    db,
    schema: SCHEMA,
    schedule: false,
    reindex: false, // The service owns no indexes.
    superviseIntervalSeconds: seconds(pollMs),
    monitorIntervalSeconds: seconds(pollMs),
    flowIntervalSeconds: seconds(HOUR),
  });
  queue.on('error', (error) => log.error({ err: error }, 'The job queue had an error.'));
  queue.on('warning', (warning) => log.warn({ warning }, 'The job queue reported a warning.'));
  return {
    queue,
    db,
    async stop() {
      await queue.stop({ graceful: true, timeout: STOP_MS, close: false });
      await close();
    },
  };
}

interface Work {
  readonly queue: string;
  readonly handler: JobHandler;
  readonly attempts: number;
  readonly deadLetter: string;
}

/** The queue of failed jobs comes first: the other one refers to it. */
function workersOf([queue, given]: [string, JobHandler | JobQueue]): Work[] {
  if (typeof given === 'function') {
    return [{ queue, handler: given, attempts: MAX_ATTEMPTS, deadLetter: DEAD_LETTERS }];
  }
  const { handler, attempts, onFailed } = given;
  const failed = `${queue}-failed`;
  return [
    { queue: failed, handler: onFailed, attempts: MAX_ATTEMPTS, deadLetter: DEAD_LETTERS },
    { queue, handler, attempts, deadLetter: failed },
  ];
}

/** Starts the workers; returns a function that wakes those of a queue, or all. */
async function startWorkers(
  { queue: boss, db }: OpenBoss,
  { log, pollMs = POLL_MS }: JobsDeps,
  queues: readonly Work[],
  stopping: AbortSignal,
): Promise<(queue: string | null) => void> {
  const workers = new Map<string, string[]>();
  const options = { pollingIntervalSeconds: seconds(pollMs), heartbeatRefreshSeconds: 10 };
  for (const work of queues) {
    const { queue, attempts, deadLetter } = work;
    await db.executeSql(CREATE_QUEUE, [queue, QUEUE]);
    // Also if a process without workers has created the queue.
    await boss.updateQueue(queue, { retryLimit: attempts - 1, deadLetter });
    const ids: string[] = [];
    workers.set(queue, ids);
    for (let count = 0; count < WORKERS_PER_QUEUE; count += 1) {
      const id: string = await boss.work<object>(queue, options, async ([job]) => {
        try {
          if (job) await handle(job, work, { log, stopping });
        } finally {
          // Look for the next job at once, also after a failure.
          boss.notifyWorker(id);
        }
      });
      ids.push(id);
    }
  }
  return (queue) => {
    const ids = queue === null ? [...workers.values()].flat() : (workers.get(queue) ?? []);
    for (const id of ids) boss.notifyWorker(id);
  };
}

async function handle(
  job: Job<object>,
  { handler, attempts }: Work,
  { log, stopping }: { readonly log: JobsDeps['log']; readonly stopping: AbortSignal },
): Promise<void> {
  const attempt = job.retryCount + 1;
  try {
    await handler(job.data, { id: job.id, attempt, stopping });
  } catch (error) {
    const about = { err: error, queue: job.name, job: job.id, attempt };
    if (attempt >= attempts)
      log.error(about, 'A job failed for the last time and is now a dead letter.');
    else log.warn(about, 'A job failed and will be tried again.');
    throw error;
  }
}
