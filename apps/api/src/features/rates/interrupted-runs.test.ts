/** Interrupted runs: their record, and that they do not block others. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { newId } from '#kernel/id.ts';
import { listed, startRatesDesk } from '#test/factories/rates.ts';

const { api, admin, fakes, configure, run, setKey, freshHour } = await startRatesDesk({ after });
const { fixer } = fakes;
await configure();
await setKey('fixer');

const latest = async () =>
  (await admin.get('/api/admin/rates/runs', { query: { per_page: 1 } })).body.data[0];

describe('a run that cannot be written', () => {
  it('stores the providers’ outcomes, and a reason without the error’s message', async () => {
    await freshHour();
    await sql`alter table market_rates add constraint never check (rate < 0) not valid`.execute(
      api.db,
    );
    assert.equal((await admin.post('/api/admin/rates/runs')).status, 500);
    await sql`alter table market_rates drop constraint never`.execute(api.db);
    const { outcome, reason, attempts, accepted } = await latest();
    assert.deepEqual([outcome, accepted], ['failed', 0]);
    assert.match(reason, /^It failed with an internal error \(\w+\) and stored nothing/);
    assert.doesNotMatch(reason, /never|market_rates/);
    assert.deepEqual(
      attempts.map(({ provider, outcome: own }: { provider: string; outcome: string }) => [
        provider,
        own,
      ]),
      [['fixer', 'ok']],
    );
    assert.equal((await run()).reason, null);
  });
});

describe('a lost run', () => {
  it('does not block others, even with a time in the future', async () => {
    for (const shift of [DAY, -6 * MINUTE]) {
      await freshHour();
      const id = newId();
      const started_at = new Date(api.clock.now().getTime() + shift);
      await api.db
        .insertInto('rate_runs')
        .values({ id, trigger: 'schedule', started_at })
        .execute();
      await run();
      const row = await api.db
        .selectFrom('rate_runs')
        .select(['outcome', 'reason'])
        .where('id', '=', id)
        .executeTakeFirst();
      assert.deepEqual(row, {
        outcome: 'failed',
        reason: 'Its process ended during the run.',
      });
      await api.db.deleteFrom('rate_runs').where('id', '=', id).execute();
    }
  });
});

describe('a service that is stopped while providers hang', () => {
  const env = (port: number) => ({
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    APP_KEY: `base64:${api.deps.config.appKey?.toString('base64')}`,
    API_LISTEN: `127.0.0.1:${port}`,
    DATA_DIR: api.deps.config.dataDir,
    DATABASE_URL: api.databaseUrl,
    LOG_LEVEL: 'silent',
    ...fakes.environment,
  });
  async function freePort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return port;
  }
  async function start() {
    const child = spawn(process.execPath, [resolve(import.meta.dirname, '../../main.ts')], {
      env: env(await freePort()),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    after(() => child.kill('SIGKILL'));
    await once(child, 'message');
    return child;
  }

  it(
    'ends at once, stores that with the run, and repeats it after the next start',
    { timeout: 60_000 },
    async () => {
      await configure({ providers: listed('fixer', 'openexchangerates', 'currencyapi') });
      for (const name of ['openexchangerates', 'currencyapi'] as const) await setKey(name);
      await api.db.deleteFrom('rate_runs').execute();
      for (const name of ['fixer', 'openexchangerates', 'currencyapi'] as const)
        fakes[name].mood = 'hanging';
      const before = fixer.requests.length;
      const child = await start();
      while (fixer.requests.length === before) await sleep(50);
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      assert.equal(code, 0);
      const runs = () =>
        api.db.selectFrom('rate_runs').select(['outcome', 'reason', 'attempts']).execute();
      const stopped = 'Stopped together with the service.';
      assert.deepEqual(await runs(), [{ outcome: 'failed', reason: stopped, attempts: [] }]);
      const slots = () =>
        api.db
          .selectFrom('task_runs')
          .select(['slot', 'outcome', 'detail'])
          .where('task', '=', 'rates-sync')
          .execute();
      const [slot] = await slots();
      assert.deepEqual([slot?.outcome, slot?.detail], ['failed', stopped]);
      assert.equal(fakes.openexchangerates.requests.length, 0);

      for (const name of ['fixer', 'openexchangerates', 'currencyapi'] as const)
        fakes[name].mood = 'well';
      fakes.clock = () => new Date();
      const again = await start();
      while ((await runs()).length < 2 || (await runs()).some(({ outcome }) => outcome === null))
        await sleep(50);
      again.kill('SIGTERM');
      await once(again, 'exit');
      assert.deepEqual((await runs()).map(({ outcome }) => outcome).toSorted()[1], 'updated');
      const [made, ...more] = await slots();
      assert.deepEqual([made?.slot, made?.outcome, more], [slot?.slot, 'done', []]);
    },
  );
});
