/** A process on a machine whose clock is days ahead, beside a right one: it harms nothing and says so. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../tools/ports.ts';
import { DAY } from '#kernel/clock.ts';
import type { Client } from './client.ts';
import { submitted, startTestDesk } from './factories/exchange.ts';

const MAIN = resolve(import.meta.dirname, '../src/main.ts');
/** Loaded before the process: the clock of its machine is off by CLOCK_AHEAD_MS. */
const WRONG_CLOCK = `data:text/javascript,${encodeURIComponent(`
  const aheadMs = Number(process.env.CLOCK_AHEAD_MS);
  const Right = Date;
  globalThis.Date = class extends Right {
    constructor(...values) {
      super(...(values.length === 0 ? [Right.now() + aheadMs] : values));
    }
    static now() {
      return Right.now() + aheadMs;
    }
  };`)}`;
const APP_KEY = Buffer.alloc(32, 7);

const { api, admin } = await startTestDesk({ after });

async function startWrong(aheadMs: number): Promise<{ address: string; output: () => string }> {
  const port = await freePort();
  const child = spawn(process.execPath, ['--import', WRONG_CLOCK, MAIN], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      APP_KEY: `base64:${APP_KEY.toString('base64')}`,
      API_LISTEN: `127.0.0.1:${port}`,
      CLOCK_AHEAD_MS: String(aheadMs),
      DATA_DIR: api.deps.config.dataDir,
      DATABASE_URL: api.databaseUrl,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  after(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'message');
  return { address: `http://127.0.0.1:${port}`, output: () => output };
}

/** As the browser of this client, at another process. */
async function at(
  address: string,
  client: Client,
  path: string,
  body?: object,
  key = randomUUID(),
) {
  const response = await fetch(address + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      origin: 'http://localhost:4000',
      cookie: [...client.jar].map((pair) => pair.join('=')).join('; '),
      'x-xsrf-token': client.jar.get('XSRF-TOKEN') ?? '',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { status, headers } = response;
  return { status, replayed: headers.get('idempotency-replayed'), text: await response.text() };
}

/** How many rows each table has: what is purged is missing here. */
async function counts(): Promise<Record<string, number>> {
  const tables = await api.deps.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;
  const entries = tables.map(async ({ name }): Promise<[string, number]> => {
    const [row] = await api.deps.sql`select count(*)::int as count from ${api.deps.sql(name)}`;
    return [name, row?.['count']];
  });
  return Object.fromEntries(await Promise.all(entries));
}

describe('a process three days ahead and one 400 days ahead', { timeout: 120_000 }, () => {
  it('take no slot, purge nothing, end no session, are not ready, and say why', async () => {
    const { client } = await api.asMember();
    await submitted(client);
    const key = randomUUID();
    const body = { direction: 'in', amount: '5', reason: 'A test.' };
    const path = '/api/admin/reserves/usd/adjustments';
    const first = await admin.post(path, body, { key });
    assert.equal(first.status, 201);
    const before = await counts();

    for (const days of [3, 400]) {
      const { address, output } = await startWrong(days * DAY);
      // The scheduler ticks at the start; what it had to say is there with the second refusal.
      for (let tries = 0; !/The scheduler could not tick/.test(output()); tries += 1) {
        assert.ok(tries < 300, output());
        await sleep(100);
      }
      assert.match(output(), /clock of this machine is \d+ seconds ahead of the database/);
      const health = async (name: string) => (await fetch(`${address}/health/${name}`)).status;
      assert.deepEqual([await health('live'), await health('ready')], [200, 503]);

      const own = await at(address, client, '/api/user');
      assert.equal(own.status, 200, own.text);
      const again = await at(address, admin, path, body, key);
      assert.deepEqual([again.status, again.replayed], [201, 'true'], again.text);
      assert.equal(again.text, first.text);
    }
    assert.deepEqual(await counts(), before);
    assert.equal((await client.get('/api/user')).status, 200);
  });
});
