import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { SECOND } from '#kernel/clock.ts';
import { openTestDatabase } from '#test/database.ts';
import { connect, openDatabase, transaction } from '#platform/db/database.ts';
import { installJobs, openJobs, type EnqueueOptions, type Jobs } from './jobs.ts';
import { openNotices } from '#platform/cache/notices.ts';

const { url, sql, db } = await openTestDatabase({ after });
const log = pino({ level: 'silent' });
const notices = openNotices(sql, log);
let running: Jobs[] = [];

afterEach(async () => {
  await Promise.all(running.map((jobs) => jobs.stop()));
  running = [];
});

/** So rarely that what runs within the test's time was announced. */
function open(pollMs = 300 * SECOND): Jobs {
  const jobs = openJobs({ sql, notices, log, pollMs });
  running.push(jobs);
  return jobs;
}

function enqueue(queue: string, data: Record<string, unknown>, options?: EnqueueOptions) {
  return transaction(db, (tx) => open().enqueue(tx, queue, data, options));
}

async function until(what: () => boolean | Promise<boolean>, patienceMs = 20_000): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await what())) {
    assert.ok(Date.now() < end, 'It did not happen in time.');
    await sleep(10);
  }
}

async function states(queue: string): Promise<string[]> {
  const rows = await sql<{ state: string }[]>`
    select state::text from jobs.job where name = ${queue} order by created_on`;
  return rows.map(({ state }) => state);
}

describe('a job', () => {
  it('exists exactly when the transaction that wrote it does', async () => {
    const jobs = open();
    const seen: unknown[] = [];
    await jobs.start({ committed: async (data) => void seen.push(data) });
    await assert.rejects(
      transaction(db, async (tx) => {
        await jobs.enqueue(tx, 'committed', { is: 'rolled back' });
        throw new Error('no');
      }),
    );
    await transaction(db, (tx) => jobs.enqueue(tx, 'committed', { is: 'committed' }));
    await until(() => seen.length > 0);
    await sleep(100);
    assert.deepEqual(seen, [{ is: 'committed' }]);
  });

  it('carries its data as it is', async () => {
    const data = {
      text: 'it\'s "quoted" \\ {}',
      list: [1, 'two', null],
      deep: { a: [{ b: true }] },
    };
    const seen: unknown[] = [];
    await enqueue('data', data);
    await open().start({ data: async (got) => void seen.push(got) });
    await until(() => seen.length > 0);
    assert.deepEqual(seen, [data]);
  });

  it('is not run before its time', async () => {
    const seen: unknown[] = [];
    await enqueue('later', {}, { startAfter: new Date(Date.now() + 1500) });
    const begun = Date.now();
    await open(SECOND).start({ later: async () => void seen.push(1) });
    await until(() => seen.length > 0);
    assert.ok(Date.now() - begun > 1000);
  });

  it('replaces the waiting one of the same key, and stands beside others', async () => {
    await enqueue('keyed', { version: 1 }, { key: 'a' });
    await enqueue('keyed', { version: 2 }, { key: 'a' });
    await enqueue('keyed', { version: 1 }, { key: 'b' });
    await enqueue('keyed', { version: 1 });
    await enqueue('keyed', { version: 1 });
    const rows = await sql<{ data: unknown }[]>`
      select data from jobs.job where name = 'keyed' and singleton_key in ('a', 'b') order by singleton_key`;
    assert.deepEqual(
      rows.map(({ data }) => data),
      [{ version: 2 }, { version: 1 }],
    );
    assert.equal((await states('keyed')).length, 4);
  });

  it('can be written where there is a single connection', async () => {
    const single = connect(url, 1);
    const own = openDatabase(single);
    const jobs = openJobs({ sql: single, notices: openNotices(single, log), log });
    try {
      await transaction(own, (tx) => jobs.enqueue(tx, 'single', {}));
      await Promise.all([
        transaction(own, (tx) => jobs.enqueue(tx, 'single', {})),
        transaction(own, (tx) => jobs.enqueue(tx, 'single', {})),
      ]);
    } finally {
      await single.end();
    }
    assert.equal((await states('single')).length, 3);
  });
});

describe('a job that fails', () => {
  it('is tried again, later each time, ten times in all, and then is a dead letter', async () => {
    const attempts: number[] = [];
    await open(SECOND).start({
      failing: async (_data, { attempt }) => {
        attempts.push(attempt);
        throw new Error('not today');
      },
    });
    await enqueue('failing', { keep: 'me' });
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await until(
        async () => attempts.length === attempt && !(await states('failing')).includes('active'),
      );
      const [job] = await sql<{ wait: number }[]>`
        select extract(epoch from start_after - now())::float8 as wait from jobs.job
        where name = 'failing' and state = 'retry'`;
      if (job) waits.push(job.wait);
      await sql`update jobs.job set start_after = now() where name = 'failing' and state = 'retry'`;
      await transaction(db, (tx) => notices.notify(tx, 'jobs', { queue: 'failing' }));
    }
    assert.deepEqual(attempts, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.equal(waits.length, 9);
    assert.ok((waits[0] ?? 0) > 2 && (waits[0] ?? 99) <= 10, `${waits[0]}`);
    assert.ok((waits[6] ?? 0) > 20 * (waits[0] ?? 0), `${waits}`);
    assert.ok(Math.max(...waits) <= 3600, `${waits}`);
    const [dead] = await sql<
      { data: unknown }[]
    >`select data from jobs.job where name = 'dead-letters'`;
    assert.deepEqual(dead?.data, { keep: 'me' });
    assert.deepEqual(await states('failing'), ['failed']);
  });

  it('keeps what it died of', async () => {
    const [dead] = await sql<{ output: { message: string } }[]>`
      select output from jobs.job where name = 'failing'`;
    assert.equal(dead?.output.message, 'not today');
  });
});

describe('a worker that is killed', () => {
  it('leaves its job to another', async () => {
    await enqueue('orphaned', { of: 'a killed worker' });
    const victim = fork(join(import.meta.dirname, 'jobs.victim.ts'), [url, 'orphaned']);
    const [first] = (await once(victim, 'message')) as [{ attempt: number }];
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    assert.equal(first.attempt, 1);
    assert.deepEqual(await states('orphaned'), ['active']);

    // As if the time without a heartbeat had passed.
    await sql`update jobs.job set heartbeat_on = now() - interval '31 seconds' where name = 'orphaned'`;
    const attempts: number[] = [];
    await open(SECOND).start({
      orphaned: async (_data, { attempt }) => void attempts.push(attempt),
    });
    await until(async () => (await states('orphaned')).includes('retry'));
    await sql`update jobs.job set start_after = now() where name = 'orphaned'`;
    await until(() => attempts.length > 0);
    assert.deepEqual(attempts, [2]);
    await until(async () => (await states('orphaned')).includes('completed'));
  });
});

describe('a queue with a handler for failed jobs', () => {
  it('tries as often as it says, and hands on what failed for good', async () => {
    const failed: unknown[] = [];
    const attempts: number[] = [];
    await open(SECOND).start({
      handled: {
        attempts: 2,
        handler: async (_data, { attempt }) => {
          attempts.push(attempt);
          throw new Error('not today');
        },
        onFailed: async (data) => void failed.push(data),
      },
    });
    await enqueue('handled', { of: 'a queue' });
    await until(async () => (await states('handled')).includes('retry'));
    await transaction(db, (tx) => open().retryNow(tx, 'handled'));
    await until(() => failed.length > 0);
    assert.deepEqual([attempts, failed], [[1, 2], [{ of: 'a queue' }]]);
  });
});

describe('stop', () => {
  it('waits for the job at hand and takes no other', async () => {
    const jobs = open();
    const ended: number[] = [];
    let begun = 0;
    await jobs.start({
      slow: async () => {
        begun += 1;
        await sleep(300);
        ended.push(begun);
      },
    });
    await transaction(db, async (tx) => {
      for (let count = 0; count < 5; count += 1) await jobs.enqueue(tx, 'slow', {});
    });
    await until(() => begun > 0);
    await jobs.stop();
    assert.equal(ended.length, begun);
    assert.ok(begun < 5);
    await sleep(400);
    assert.equal(ended.length, begun);
    assert.ok(!(await states('slow')).includes('active'));
  });
});

describe('installJobs', () => {
  it('may be called again and changes nothing', async () => {
    const tables = async () =>
      sql`select table_name from information_schema.tables where table_schema = 'jobs' order by 1`;
    const before = await tables();
    await installJobs(url);
    assert.deepEqual(await tables(), before);
    assert.ok(before.length > 5);
  });
});
