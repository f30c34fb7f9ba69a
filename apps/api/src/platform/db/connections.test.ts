import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql as query } from 'kysely';
import { openTestDatabase } from '#test/database.ts';
import { MINUTE } from '#kernel/clock.ts';
import { openConnections } from './connections.ts';
import { ConnectionLost } from './database-client.ts';
import { transaction, type Tx } from './database.ts';

const { sql, db } = await openTestDatabase({ after }, 1);
await query`create table written (word text primary key)`.execute(db);

async function ownPid(tx: Tx): Promise<number> {
  const { rows } = await query<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
  return rows[0]?.pid ?? 0;
}

async function words(): Promise<string[]> {
  const { rows } = await query<{ word: string }>`select word from written order by word`.execute(
    db,
  );
  return rows.map(({ word }) => word);
}

describe('a connection that the server ends during a transaction', () => {
  it('runs no further statement outside the transaction', async () => {
    await assert.rejects(
      transaction(db, async (tx) => {
        await query`insert into written values ('before')`.execute(tx);
        await sql`select pg_terminate_backend(${await ownPid(tx)})`;
        await sleep(100);
        await query`insert into written values ('after')`.execute(tx);
      }),
      ConnectionLost,
    );
    assert.deepEqual(await words(), []);
  });

  it('fails only that transaction when it ends during a statement', async () => {
    await assert.rejects(
      transaction(db, async (tx) => {
        const pid = await ownPid(tx);
        setTimeout(() => void sql`select pg_terminate_backend(${pid})`.execute(), 50);
        await query`select pg_sleep(5)`.execute(tx);
      }),
      (error: unknown) =>
        ['57P01', 'CONNECTION_CLOSED'].includes(Reflect.get(Object(error), 'code')),
    );
    await transaction(db, (tx) => query`insert into written values ('next')`.execute(tx));
    assert.deepEqual(await words(), ['next']);
  });

  it('is detected when it idles too long', async () => {
    await assert.rejects(
      transaction(db, async (tx) => {
        await query`set local idle_in_transaction_session_timeout = 50`.execute(tx);
        await sleep(200);
        await query`insert into written values ('late')`.execute(tx);
      }),
    );
    assert.deepEqual(await words(), ['next']);
  });

  it('is replaced without an error while idle', async () => {
    const pid = await transaction(db, ownPid);
    await sql`select pg_terminate_backend(${pid})`;
    await sleep(100);
    assert.deepEqual(await words(), ['next']);
  });
});

describe('the pool', () => {
  it('makes the next caller wait until a connection is released', async () => {
    const order: string[] = [];
    const first = transaction(db, async () => {
      await sleep(50);
      order.push('first');
    });
    const second = transaction(db, async () => void order.push('second'));
    await Promise.all([first, second]);
    assert.deepEqual(order, ['first', 'second']);
  });
});

describe('connections that are never released', () => {
  it('make the process not live, unlike busy ones', async (t) => {
    let now = performance.now();
    t.mock.method(performance, 'now', () => now);
    const pool = openConnections(sql, { size: 2, setAside: 1 });
    const [first, second] = [await pool.reserve(), await pool.reserve()];
    now += 4 * MINUTE;
    assert.equal(pool.isStuck(), false, 'a long statement is none');
    now += 2 * MINUTE;
    assert.equal(pool.isStuck(), true);
    first.release();
    assert.equal(pool.isStuck(), false);
    second.release();
    await pool.end();
  });
});
