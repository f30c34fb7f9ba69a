/**
 * Work to do after commit. A job is written in the transaction whose consequence it is, so it exists
 * exactly when the effect does; it runs at least once, so a handler must bear being run again.
 * pg-boss does the running: a lease kept alive by heartbeats, retries that wait ever longer, and a
 * queue of dead letters for what failed ten times.
 */
import { sql as query } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import { PgBoss, type Db as BossDatabase, type Job } from 'pg-boss';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import { openAside, type Aside } from './aside.ts';
import { openBossDatabase } from './boss-database.ts';
import { connect, type Sql, type Tx } from './database.ts';
import type { Notices } from './notices.ts';

export interface JobRun {
  readonly id: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** Aborts as soon as the jobs are told to stop. */
  readonly stopping: AbortSignal;
  readonly aside: Pick<Aside, 'take'>;
}

/** May run more than once for the same job. What it throws is tried again. */
export type JobHandler = (data: unknown, job: JobRun) => Promise<void>;

export interface EnqueueOptions {
  readonly startAfter?: Date;
  /** At most one waiting job of a queue has this key: a second one replaces its data. */
  readonly key?: string;
}

export interface KeyedJob {
  readonly key: string;
  readonly data: Record<string, unknown>;
}

export interface Jobs {
  /** Written with `tx`; its handler may start as soon as that has committed. */
  enqueue(
    tx: Tx,
    queue: string,
    data: Record<string, unknown>,
    options?: EnqueueOptions,
  ): Promise<void>;
  /** The same for many at once, no two of one key. */
  enqueueAll(tx: Tx, queue: string, jobs: readonly KeyedJob[]): Promise<void>;
  /** Deletes the waiting jobs of these keys: nobody needs them any more. */
  takeBack(tx: Tx, queue: string, keys: readonly string[]): Promise<void>;
  /** Deletes the jobs of this key, in whatever state, and what became of them: their data must go. */
  forget(tx: Tx, queue: string, key: string): Promise<void>;
  /** Deletes jobs that were done before `done`, and dead letters from before `dead`; answers how many. */
  forgetOld(tx: Tx, queue: string, before: { done: Date; dead: Date }): Promise<number>;
  start(handlers: Readonly<Record<string, JobHandler>>): Promise<void>;
  /** Takes no more jobs and waits for the running ones, and for what was set aside, at most 20 seconds. */
  stop(): Promise<void>;
}

export interface JobsDeps {
  readonly sql: Sql;
  readonly notices: Notices;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  /** How often waiting jobs and lost leases are looked for. A new job is announced at once. */
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
 * `short` keeps one waiting job for a key. Waiting grows from 5 seconds to an
 * hour, so ten attempts span about an hour and a half. A worker that sends no
 * heartbeat for 30 seconds has lost its job.
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
    if (!(await insertJobs(tx, queue, jobs, startAfter))) {
      await createQueue(tx, queue);
      await insertJobs(tx, queue, jobs, startAfter);
    }
    await deps.notices.notify(tx, CHANNEL, { queue });
  }

  return {
    async enqueue(tx, queue, data, { key = null, startAfter } = {}) {
      await insert(tx, queue, [{ key, data }], startAfter);
    },

    async enqueueAll(tx, queue, jobs) {
      if (jobs.length > 0) await insert(tx, queue, jobs);
    },

    async takeBack(tx, queue, keys) {
      await query`delete from jobs.job_common where name = ${queue} and state = 'created'
        and policy = 'short' and coalesce(singleton_key, '') = any(${[...keys]}::text[])`.execute(
        tx,
      );
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

    async start(handlers) {
      const queues = Object.entries(handlers);
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

/** Creates or updates the tables that jobs live in. Safe to call at every start. */
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
  /** One for each queue. */
  readonly asides: Aside[];
  stop(): Promise<void>;
}

function openBoss({ sql, log, pollMs = POLL_MS }: JobsDeps): OpenBoss {
  const { db, close } = openBossDatabase(sql);
  const queue = new PgBoss({
    db,
    schema: SCHEMA,
    schedule: false,
    reindex: false, // The service owns none.
    superviseIntervalSeconds: seconds(pollMs),
    monitorIntervalSeconds: seconds(pollMs),
    flowIntervalSeconds: seconds(HOUR),
  });
  queue.on('error', (error) => log.error({ err: error }, 'The job queue had an error.'));
  queue.on('warning', (warning) => log.warn({ warning }, 'The job queue warns.'));
  const asides: Aside[] = [];
  return {
    queue,
    db,
    asides,
    async stop() {
      const stopped = queue.stop({ graceful: true, timeout: STOP_MS, close: false });
      await Promise.all([stopped, ...asides.map((aside) => aside.ended(STOP_MS))]);
      await close();
    },
  };
}

/** Starts the workers and answers with the way to wake those of a queue, or all of them. */
async function startWorkers(
  { queue: boss, db, asides }: OpenBoss,
  { log, pollMs = POLL_MS }: JobsDeps,
  queues: readonly (readonly [string, JobHandler])[],
  stopping: AbortSignal,
): Promise<(queue: string | null) => void> {
  const workers = new Map<string, string[]>();
  const options = { pollingIntervalSeconds: seconds(pollMs), heartbeatRefreshSeconds: 10 };
  for (const [queue, handler] of queues) {
    await db.executeSql(CREATE_QUEUE, [queue, QUEUE]);
    const ids: string[] = [];
    workers.set(queue, ids);
    // What one queue waits for must not fill the places of another.
    const aside = openAside();
    asides.push(aside);
    for (let count = 0; count < WORKERS_PER_QUEUE; count += 1) {
      const id: string = await boss.work<object>(queue, options, async ([job]) => {
        if (job) await handle(job, handler, { log, round: { stopping, aside } });
        // Whoever has done one job looks for the next at once.
        boss.notifyWorker(id);
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
  handler: JobHandler,
  { log, round }: { readonly log: JobsDeps['log']; readonly round: Omit<JobRun, 'id' | 'attempt'> },
): Promise<void> {
  const attempt = job.retryCount + 1;
  try {
    await handler(job.data, { ...round, id: job.id, attempt });
  } catch (error) {
    const about = { err: error, queue: job.name, job: job.id, attempt };
    if (attempt >= MAX_ATTEMPTS)
      log.error(about, 'A job failed for the last time and is now a dead letter.');
    else log.warn(about, 'A job failed and will be tried again.');
    throw error;
  }
}

/** Without a key it is alone. */
type NewJob = Pick<KeyedJob, 'data'> & { readonly key: string | null };

/**
 * Writes the rows as pg-boss 12 itself would, but inside the caller's
 * transaction and without a look at its cache. False when there is no such
 * queue yet. Replacing locks the waiting job until the caller commits, so no
 * worker takes it with data that is about to be replaced.
 */
async function insertJobs(
  tx: Tx,
  queue: string,
  jobs: readonly NewJob[],
  startAfter?: Date,
): Promise<boolean> {
  const { rows } = await query`
    insert into jobs.job_common as job (
      name, data, policy, singleton_key, start_after, keep_until, expire_seconds, deletion_seconds,
      retry_limit, retry_delay, retry_backoff, retry_delay_max, dead_letter, heartbeat_seconds)
    select name, each.data, policy, coalesce(each.key, gen_random_uuid()::text), start_after,
      start_after + retention_seconds * interval '1 second', expire_seconds, deletion_seconds,
      retry_limit, retry_delay, retry_backoff, retry_delay_max, dead_letter, heartbeat_seconds
    from jobs.queue, coalesce(${startAfter ?? null}::timestamptz, now()) as start_after,
      jsonb_to_recordset(${JSON.stringify(jobs)}::text::jsonb) as each (key text, data jsonb)
    where name = ${queue}
    -- One order of locking for everybody.
    order by each.key
    on conflict (name, coalesce(singleton_key, '')) where state = 'created' and policy = 'short'
      do update set data = excluded.data, start_after = least(job.start_after, excluded.start_after)
    returning id`.execute(tx);
  return rows.length > 0;
}

async function createQueue(tx: Tx, queue: string): Promise<void> {
  const settings = JSON.stringify(QUEUE);
  await query`select jobs.create_queue(${queue}, ${settings}::text::jsonb)`.execute(tx);
}
