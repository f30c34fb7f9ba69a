/** What holds connections, while the server goes away under load and comes back. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql as query } from 'kysely';
import { pino } from 'pino';
import { startPostgres } from '../../../tools/postgres/server.ts';
import { migrate } from '#app/migrate.ts';
import { SECOND } from '#kernel/clock.ts';
import { connect, openDatabase, transaction } from '#platform/db/database.ts';
import { openJobs } from '#platform/jobs/jobs.ts';
import { openNotices } from '#platform/cache/notices.ts';
import { openPublished } from '#platform/cache/published.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'cambist-restart-'));
const start = () => startPostgres({ dataDir, fsync: false });

describe('a restart of the database', () => {
  it('fails what was under way, and everything works again soon after', async () => {
    let starting = start();
    const server = await starting;
    await migrate(server.ownerUrl, { applicationRole: 'cambist' });
    const log = pino({ level: 'silent' });
    const sql = connect(server.url);
    const db = openDatabase(sql);
    const notices = openNotices(sql, log);
    const published = openPublished(notices);
    const jobs = openJobs({ sql, notices, log, pollMs: SECOND });
    let done = 0;
    let received = 0;
    await jobs.start({ work: async () => void (done += 1) });
    await notices.listen('test', () => void (received += 1));

    const counts = { committed: 0, failed: 0 };
    let busy = true;
    const workers = Array.from({ length: 6 }, async () => {
      while (busy) {
        await transaction(db, async (tx) => {
          await jobs.enqueue(tx, 'work', {});
          await sleep(10);
          await query`select 1`.execute(tx);
        }).then(
          () => (counts.committed += 1),
          () => (counts.failed += 1),
        );
        await sleep(10);
      }
    });
    after(async () => {
      busy = false;
      await Promise.all(workers);
      await jobs.stop();
      await notices.close();
      await sql.end({ timeout: 1 });
      // Also where the test failed while it started again.
      await (await starting).stop();
      // The server’s last files may still be on their way.
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    });

    await sleep(300);
    await server.stop();
    await sleep(1000);
    assert.ok(counts.failed > 0);
    await assert.rejects(published.cached('value', async () => query`select 1`.execute(db)));
    starting = start();
    await starting;

    const [committedBefore, doneBefore] = [counts.committed, done];
    const end = Date.now() + 10 * SECOND;
    const read = () => published.cached('value', async () => query`select 1`.execute(db));
    // A connection of the pool may learn only from its next query that it is gone.
    const works = async () => {
      await transaction(db, (tx) => notices.notify(tx, 'test', {})).catch(() => undefined);
      const value = await read().catch(() => null);
      return (
        value !== null && received > 0 && counts.committed > committedBefore && done > doneBefore
      );
    };
    received = 0;
    while (!(await works())) {
      assert.ok(
        Date.now() < end,
        JSON.stringify({ received, counts, committedBefore, done, doneBefore }),
      );
      await sleep(50);
    }

    busy = false;
    await Promise.all(workers);
    const waiting = async () => {
      const [row] = await sql<{ count: number }[]>`
        select count(*) as count from jobs.job where name = 'work' and state in ('created', 'retry')`;
      return row?.count;
    };
    let left: number | null | undefined;
    while ((left = await waiting().catch(() => null)) !== 0) {
      assert.ok(Date.now() < end + 10 * SECOND, `${left} jobs are left`);
      await sleep(50);
    }
    // Each committed job ran, and one may have run twice.
    assert.ok(done >= counts.committed, JSON.stringify({ done, counts }));
  });
});
