/** Requests that wait for a connection: how many may, how long, and who does not wait behind them. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpoint } from '@cambist/contract/endpoint';
import { One, Strict } from '@cambist/contract/wire';
import { sql as query } from 'kysely';
import { Type } from 'typebox';
import { features } from '#app/features.ts';
import { transaction } from '#platform/db/database.ts';
import type { Feature } from '#platform/feature.ts';
import { openTestConnection } from './database.ts';
import { eventually } from './eventually.ts';
import { claimed, openDesk } from './factories/exchange.ts';
import { startTestApi } from './harness.ts';

const POOL = 10;
const MAX_WAITING = 50;

const write = endpoint({
  method: 'GET',
  path: '/api/probe/written/{name}',
  scope: 'public',
  throttle: 'read',
  summary: 'Writes a row, so that the work of a request can be counted.',
  status: 200,
  params: Strict({ name: Type.String() }),
  reply: One(Type.Object({ name: Type.String() })),
});
const writing: Feature = {
  name: 'writing',
  routes(ways, { db }) {
    ways.public.serve(write, async ({ params: { name } }) => {
      await query`insert into written values (${name})`.execute(db);
      return { data: { name } };
    });
  },
};

const api = await startTestApi(
  { after },
  {
    features: [...features, writing],
    poolSize: POOL,
    // A statement that waits for a lock holds its connection for as long as a test wants.
    wayTo(databaseUrl) {
      const url = new URL(databaseUrl);
      url.searchParams.set('lock_timeout', '60000');
      url.searchParams.set('statement_timeout', '60000');
      return url.href;
    },
  },
);
const direct = openTestConnection({ after }, api.databaseUrl);
const other = openTestConnection({ after }, api.databaseUrl);
await direct`create table written (name text primary key)`;
const { client: admin } = await api.asAdmin();
await openDesk(admin);

const blocked = async () =>
  (
    await other`select from pg_stat_activity
      where query like 'insert into written%' and wait_event_type = 'Lock'`
  ).length;
const written = async () => (await other`select name from written`).map(({ name }) => String(name));

/** Holds as many writes as there may be while `work` runs; answers what became of them. */
async function whileAllAreTaken(prefix: string, work: () => Promise<void>): Promise<number[]> {
  let holders: Promise<{ status: number }>[] = [];
  await direct.begin(async (tx) => {
    await tx`lock table written in share mode`;
    holders = Array.from({ length: POOL }, (_, at) =>
      api.client().get(`/api/probe/written/${prefix}-${at}`),
    );
    await eventually('all connections are taken', async () => (await blocked()) === POOL);
    await work();
  });
  return (await Promise.all(holders)).map(({ status }) => status);
}

const served = (prefix: string) => Array.from({ length: POOL }, (_, at) => `${prefix}-${at}`);

describe('a pool whose connections are all taken', { timeout: 180_000 }, () => {
  it('refuses whom fifty wait before at once, the fifty in time, and does nothing of it later', async () => {
    const order: string[] = [];
    const statuses = await whileAllAreTaken('full', async () => {
      const ask = async (name: string, kind: string) => {
        const answer = await api.client().get(`/api/probe/written/${name}`);
        order.push(kind);
        return answer;
      };
      const waiting = Array.from({ length: MAX_WAITING }, (_, at) => ask(`waits-${at}`, 'waited'));
      const beyond = Array.from({ length: 20 }, (_, at) => ask(`beyond-${at}`, 'at once'));
      for (const { status, headers, body } of await Promise.all([...beyond, ...waiting])) {
        assert.deepEqual(
          [status, headers['retry-after'], body.code],
          [503, '5', 'service_unavailable'],
        );
      }
    });
    assert.deepEqual(
      statuses,
      Array.from({ length: POOL }, () => 200),
    );
    assert.deepEqual(
      order.slice(0, 20),
      Array.from({ length: 20 }, () => 'at once'),
    );
    // One more after all of it: whatever was queued before would have been done by now.
    assert.equal((await api.client().get('/api/probe/written/last')).status, 200);
    assert.deepEqual((await written()).toSorted(), [...served('full'), 'last'].toSorted());
    await direct`delete from written`;
  });

  it('serves who waits when a connection is free, without the work of those who left', async () => {
    const address = await api.url();
    const leaving = new AbortController();
    let stays: Promise<Response> | undefined;
    await whileAllAreTaken('held', async () => {
      const gone = fetch(`${address}/api/probe/written/gone`, { signal: leaving.signal });
      // Sent on a connection of its own, so that it waits behind the first.
      await sleep(200);
      stays = fetch(`${address}/api/probe/written/stays`);
      await sleep(200);
      leaving.abort();
      await assert.rejects(gone, { name: 'AbortError' });
      await sleep(200);
    });
    assert.equal((await stays)?.status, 200);
    assert.deepEqual((await written()).toSorted(), [...served('held'), 'stays'].toSorted());
    await direct`delete from written`;
  });

  it('lets an operator approve, jobs and tasks work, and readiness be asked', async () => {
    const { client: customer, exchange } = await claimed(api, admin);
    assert.equal((await customer.get('/api/admin/exchanges')).status, 403);
    const statuses = await whileAllAreTaken('public', async () => {
      const queue = Array.from({ length: MAX_WAITING }, (_, at) =>
        api.client().get(`/api/probe/written/queue-${at}`),
      );
      const { number, version, send_amount } = exchange;
      const approved = await admin.post(
        `/api/admin/exchanges/${number}/approval`,
        { version, received_amount: send_amount },
        { key: true },
      );
      assert.equal(approved.status, 200, approved.text);
      // A customer's session opens no way past the public, whatever path it names.
      const { status, body } = await customer.get('/api/admin/exchanges');
      assert.deepEqual([status, body.code], [503, 'service_unavailable']);
      assert.equal((await api.client().get('/health/ready')).status, 200);
      await transaction(api.db, (tx) => api.deps.jobs.enqueue(tx, 'waiting-test', {}));
      await api.scheduler.tick();
      assert.equal(await blocked(), POOL, 'the public holds its connections all the while');
      for (const { status } of await Promise.all(queue)) assert.equal(status, 503);
    });
    assert.deepEqual(
      statuses,
      Array.from({ length: POOL }, () => 200),
    );
    assert.equal((await written()).length, POOL);
    await direct`delete from written`;
  });
});
