/** The application when the network to its database drops packets, connections or answers. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { features } from '#app/features.ts';
import { SECOND } from '#kernel/clock.ts';
import { transaction } from '#platform/db/database.ts';
import type { Feature } from '#platform/feature.ts';
import { openTestConnection } from './database.ts';
import { eventually, untilServed } from './eventually.ts';
import {
  balances,
  createBody,
  eventsOf,
  openDesk,
  quote,
  submitted,
} from './factories/exchange.ts';
import { startTestApi } from './harness.ts';
import { startNetworkProxy, type NetworkProxy } from './fakes/network-proxy.ts';

let proxy: NetworkProxy | undefined;
const ranAt: string[] = [];
const own: Feature = {
  name: 'network-test',
  tasks: () => [
    {
      name: 'network-test',
      cron: '* * * * *',
      run: async (slot) => void ranAt.push(slot.toISOString()),
    },
  ],
  jobs: () => ({ 'network-test': async () => void (jobsDone += 1) }),
};
let jobsDone = 0;

const api = await startTestApi(
  { after },
  {
    features: [...features, own],
    jobs: true,
    async wayTo(databaseUrl) {
      proxy = await startNetworkProxy(databaseUrl);
      const url = new URL(proxy.url);
      // What is not answered is given up after two seconds, so that the tests wait less.
      url.searchParams.set('statement_timeout', '500');
      url.searchParams.set('connect_timeout', '1');
      return url.href;
    },
  },
);
after(() => network.stop());
const network = proxy as unknown as NetworkProxy;
/** Without the proxy. */
const direct = openTestConnection({ after }, api.databaseUrl);
const { client: admin } = await api.asAdmin();
await openDesk(admin);

const SEARCH = '/api/public/blogs?q=rates';

const exchangesOf = async (userId: string) =>
  (await direct`select from exchanges where user_id = ${userId}`).length;

describe('a network that drops the open connections', { timeout: 180_000 }, () => {
  it('answers their requests with 503, and works when the network is back', async () => {
    const { client, user } = await api.asMember();
    const { token } = await quote(client);
    const key = randomUUID();
    const create = () => client.post('/api/exchanges', createBody(token), { key });
    let built = 0;
    const value = () =>
      api.deps.published.cached('network-test', async () => (built += 1), { maxAgeSeconds: 3600 });
    let noticed = 0;
    await api.deps.notices.listen('network-test', () => void (noticed += 1));
    assert.equal(await value(), 1);
    // As many connections as there may be, all of which will be forgotten.
    await Promise.all(Array.from({ length: 20 }, () => client.get(SEARCH)));

    network.lose();
    const refused = await Promise.all([
      create(),
      client.get('/api/user'),
      ...Array.from({ length: 6 }, () => client.get(SEARCH)),
    ]);
    for (const { status, body, headers } of refused) {
      assert.deepEqual(
        [status, body.code, headers['retry-after']],
        [503, 'service_unavailable', '5'],
      );
    }
    assert.equal((await client.get('/health/live')).status, 200, 'no new process would help');
    // Said while nobody can hear it.
    await direct`select pg_notify('cambist_published', ${JSON.stringify({ names: ['network-test'] })})`;
    network.pass();

    assert.equal((await untilServed(create)).status, 201);
    assert.equal((await untilServed(create)).headers['idempotency-replayed'], 'true');
    assert.equal(await exchangesOf(user.id), 1);
    assert.equal((await untilServed(() => client.get('/api/user'))).status, 200);
    assert.equal((await untilServed(() => client.get(SEARCH))).status, 200);
    await eventually('readiness', async () => (await client.get('/health/ready')).status === 200);

    await eventually('a value is made anew that changed meanwhile', async () => {
      return (await value()) > 1;
    });
    await eventually('a notice arrives', async () => {
      await direct`select pg_notify('cambist_network-test', '{}')`;
      return noticed > 0;
    });
    await transaction(api.db, (tx) => api.deps.jobs.enqueue(tx, 'network-test', {}));
    await eventually('a job is done', () => jobsDone === 1);

    const slot = new Date(Date.now() + 60 * SECOND);
    await eventually('a scheduled task runs', async () => {
      await api.scheduler.tick(slot).catch(() => undefined);
      return ranAt.length > 0;
    });
    await api.scheduler.tick(slot);
    assert.equal(ranAt.length, 1, 'once for its slot');
  });

  it('serves an operator on connections that were idle meanwhile', async () => {
    await Promise.all(Array.from({ length: 20 }, () => admin.get(SEARCH)));
    network.lose();
    network.pass();
    const answer = await untilServed(() => admin.get('/api/admin/exchanges'));
    assert.equal(answer.status, 200);
  });
});

describe('a COMMIT whose answer is lost', { timeout: 180_000 }, () => {
  it('is 503 for a new exchange, which is created once and replayed by its key', async () => {
    const { client, user } = await api.asMember();
    const { token } = await quote(client);
    const key = randomUUID();
    const ask = () => client.post('/api/exchanges', createBody(token), { key });
    network.cutCommits(1);
    assert.equal((await ask()).status, 503);
    assert.equal(network.commitsToCut(), 0);
    assert.equal(await exchangesOf(user.id), 1, 'it was committed');

    const again = await untilServed(ask);
    assert.deepEqual([again.status, again.headers['idempotency-replayed']], [201, 'true']);
    assert.equal((await ask()).text, again.text, 'to the last byte');
    assert.equal(await exchangesOf(user.id), 1);
  });

  it('is 503 for an adjustment of a reserve, which is booked once', async () => {
    const before = (await balances(api))['eur available'] ?? 0n;
    const body = { direction: 'in', amount: '10', reason: 'Found in the drawer' };
    const key = randomUUID();
    const ask = () => admin.post('/api/admin/reserves/eur/adjustments', body, { key });
    network.cutCommits(1);
    assert.equal((await ask()).status, 503);
    const again = await untilServed(ask);
    assert.deepEqual([again.status, again.headers['idempotency-replayed']], [201, 'true']);
    assert.equal((await balances(api))['eur available'], before + 1000n);
  });

  it('is 503 for a claim, which is in effect', async () => {
    const { client } = await api.asMember();
    const { number, version } = await submitted(client);
    await eventually('the email', async () => {
      const waiting = await direct`select from emails where state = 'waiting'`;
      return waiting.length === 0;
    });
    network.cutCommits(1);
    const path = `/api/admin/exchanges/${number}/claim`;
    assert.equal((await admin.post(path, { version })).status, 503);
    const again = await untilServed(() => admin.post(path, { version }));
    assert.equal(again.status, 409, again.text);
    const claims = (await eventsOf(api, number)).filter(({ action }) => action === 'claim');
    assert.equal(claims.length, 1);
  });
});

describe('a connection that breaks at its first statement', { timeout: 180_000 }, () => {
  it('fails its request alone, not the process', async () => {
    const { client } = await api.asMember();
    network.refuse();
    network.pass();
    // Connections of jobs and notices may be among them.
    network.cutOpenings(3);
    const answers = await Promise.all(Array.from({ length: 6 }, () => client.get(SEARCH)));
    for (const { status } of answers) assert.ok(status === 200 || status === 503, String(status));
    await eventually('three have broken', () => network.openingsToCut() === 0);
    assert.equal((await untilServed(() => client.get(SEARCH))).status, 200);
  });
});

describe('a server that refuses connections', { timeout: 180_000 }, () => {
  it('is 503 at once, and used again when it is back', async () => {
    const { client } = await api.asMember();
    network.refuse();
    const answer = await client.get(SEARCH);
    assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '5']);
    assert.equal((await client.get('/health/ready')).status, 503);
    network.pass();
    assert.equal((await untilServed(() => client.get(SEARCH))).status, 200);
    await eventually('readiness', async () => (await client.get('/health/ready')).status === 200);
  });
});
