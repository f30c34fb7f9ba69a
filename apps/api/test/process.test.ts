/** The process: health, stopping and starting. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../tools/ports.ts';
import { auth } from '#features/auth/routes.ts';
import { buildApp } from '#app/app.ts';
import { openDeps } from '#app/open.ts';
import { Client, PASSWORD } from './client.ts';
import { testDatabase } from './database.ts';
import { startTestApi } from './harness.ts';
import { probe } from './fakes/probe.ts';

const MAIN = resolve(import.meta.dirname, '../src/main.ts');

describe('health', async () => {
  const api = await startTestApi({ after }, { features: [auth] });

  it('is live and ready, without details', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const answer = await api.client().get(path);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, { status: 'ok' });
    }
  });

  it('is not ready while stopping', async () => {
    const there = await startTestApi({ after }, { features: [auth] });
    there.app.health.stopping();
    assert.equal((await there.client().get('/health/ready')).status, 503);
    assert.equal((await there.client().get('/health/live')).status, 200);
  });

  it('is not ready when a migration is missing', async () => {
    const there = await startTestApi({ after }, { features: [auth] });
    await there.deps.sql`delete from schema_migrations where name like '03%'`;
    assert.equal((await there.client().get('/health/ready')).status, 503);
  });

  it('is not ready when the disk of the files is nearly full, logs it, and recovers', async (t) => {
    const there = await startTestApi(t, { features: [auth] });
    const said: unknown[] = [];
    t.mock.method(there.deps.log, 'warn', (line: object, words: unknown) => {
      if ('free_bytes' in line) said.push(words);
    });
    const MEBIBYTE = 1024 * 1024;
    let freeBytes = 100 * MEBIBYTE - 1;
    const files = { ...there.deps.files, freeBytes: async () => freeBytes };
    const app = await buildApp({ ...there.deps, files }, [auth]);
    t.after(() => app.close());
    const ready = () => app.inject('/health/ready');
    assert.deepEqual(
      [(await ready()).statusCode, (await ready()).json()],
      [503, { status: 'unavailable' }],
    );
    assert.deepEqual(
      said,
      ['Not ready: the disk of DATA_DIR is nearly full.'],
      'asked once a second',
    );
    assert.equal((await app.inject('/health/live')).statusCode, 200);
    freeBytes += 1;
    await sleep(1100);
    assert.equal((await ready()).statusCode, 200);
  });

  it('is not live when only a restart would free its connections', async (t) => {
    const there = await startTestApi(t, { features: [auth] });
    let stuck = true;
    const app = await buildApp({ ...there.deps, connections: { isStuck: () => stuck } }, [auth]);
    t.after(() => app.close());
    const live = async () => (await app.inject('/health/live')).statusCode;
    assert.equal(await live(), 503);
    stuck = false;
    assert.equal(await live(), 200);
  });

  it('is not ready without its database, and requests are 503', async () => {
    const { client: signedIn } = await api.asMember();
    const { config } = api.deps;
    for (const databaseUrl of [
      'postgres://a@127.0.0.1:1/a',
      'postgres://localhost/a?host=/nowhere',
    ]) {
      const { deps, close } = openDeps({ config, databaseUrl });
      const app = await buildApp(deps, [auth]);
      const client = new Client(app, config.frontendUrl);
      for (const [name, value] of signedIn.jar) client.jar.set(name, value);

      const ready = await client.get('/health/ready');
      assert.equal(ready.status, 503);
      assert.deepEqual(ready.body, { status: 'unavailable' });
      const user = await client.get('/api/user');
      assert.equal(user.status, 503);
      assert.deepEqual(user.body, { message: 'Service Unavailable', code: 'service_unavailable' });
      assert.equal(user.headers['access-control-allow-origin'], 'http://localhost:4000');
      assert.equal((await client.get('/health/live')).status, 200);
      await app.close();
      await close();
    }
  });
});

describe('closing', () => {
  it('finishes requests, and ends streams', async () => {
    const api = await startTestApi({ after }, { features: [auth, probe] });
    const address = await api.url();
    const endless = await fetch(`${address}/api/probe/endless`);
    const reader = endless.body?.getReader();
    await reader?.read();
    const client = api.client();
    await client.get('/stateful/csrf-cookie');
    const arrived = once(api.app.server, 'request');
    const slow = fetch(`${address}/api/auth/signup`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-xsrf-token': client.jar.get('XSRF-TOKEN') ?? '',
        cookie: [...client.jar].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      body: JSON.stringify({
        name: 'A',
        email: 'a@example.com',
        password: PASSWORD,
        terms_accepted: true,
      }),
    });
    await arrived;
    const [, answer] = await Promise.all([api.app.close(), slow]);
    assert.equal(answer.status, 201);
    await assert.rejects(async () => reader?.read());
  });
});

describe('main.ts', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cambist-main-'));
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  interface Running {
    readonly child: ChildProcess;
    readonly address: string;
    readonly output: () => string;
    readonly ended: Promise<number | null>;
  }

  const environment = (port: number) => ({
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    APP_KEY: `base64:${Buffer.alloc(32, 7).toString('base64')}`,
    API_LISTEN: `127.0.0.1:${port}`,
    DATA_DIR: dataDir,
  });

  async function start(env: Record<string, string>): Promise<Running> {
    const port = await freePort();
    const child = spawn(process.execPath, [MAIN], {
      env: { ...environment(port), ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    }
    const ended = once(child, 'exit').then(([code]) => code as number | null);
    after(() => child.kill('SIGKILL'));
    return { child, address: `http://127.0.0.1:${port}`, output: () => text, ended };
  }

  async function startReady(env: Record<string, string>): Promise<Running> {
    const running = await start(env);
    const ended = running.ended.then(() => assert.fail(running.output()));
    await Promise.race([once(running.child, 'message'), ended]);
    return running;
  }

  /** On a busy machine the database may be slower than the half second that the API waits. */
  async function answersReady(address: string): Promise<void> {
    for (let tried = 1; ; tried += 1) {
      const { status } = await fetch(`${address}/health/ready`);
      if (status === 200) return;
      assert.ok(tried < 30, `It is not ready: ${status}.`);
      await sleep(1100);
    }
  }

  for (const how of ['SIGTERM', 'SIGINT', 'disconnect'] as const) {
    it(`serves, and ends with 0 on ${how}`, async () => {
      const running = await startReady({ DATABASE_URL: await testDatabase({ after }) });
      await answersReady(running.address);
      await fetch(`${running.address}/api/user?token=canary-in-query`, {
        headers: { cookie: 'cambist_session=canary-in-cookie', 'x-xsrf-token': 'canary-in-header' },
      });
      if (how === 'disconnect') running.child.disconnect();
      else running.child.kill(how);
      assert.equal(await running.ended, 0, running.output());
      assert.match(running.output(), /"route":"\/api\/user","status":401/);
      assert.doesNotMatch(running.output(), /canary|Deprecation/);
    });
  }

  /** Forks the API with a pipe that shows when it ends. */
  const STARTER = `
    const child = require('node:child_process').fork(process.argv[1], {
      detached: true, stdio: ['ignore', 'pipe', 'pipe', 'ipc', 3] });
    child.on('message', () => process.stdout.write('ready'));`;

  it('ends after its parent process was killed, at any moment of its start', async () => {
    const databaseUrl = await testDatabase({ after });
    // From the reading of the modules to after the first answer.
    for (const afterMs of [20, 150, 300, 450, 600, 800, 1200, 'ready'] as const) {
      const starter = spawn(process.execPath, ['-e', STARTER, MAIN], {
        env: { ...environment(await freePort()), DATABASE_URL: databaseUrl },
        stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
      });
      const pipe = starter.stdio[3] as Readable;
      // An API that is left behind fails this test, and must not keep it from ending.
      after(() => pipe.destroy());
      const ended = once(pipe.resume(), 'end');
      if (afterMs === 'ready') await once(starter.stdout as Readable, 'data');
      else await sleep(afterMs);
      starter.kill('SIGKILL');
      const late = sleep(60_000, 'late', { ref: false });
      assert.notEqual(await Promise.race([ended, late]), 'late', String(afterMs));
    }
  });

  it('stops in order when it gets a signal while it starts', async () => {
    const databaseUrl = await testDatabase({ after });
    const running = await start({ DATABASE_URL: databaseUrl });
    running.child.disconnect();
    assert.equal(await running.ended, 0, running.output());
  });

  it('reports in a sentence what is wrong with the configuration or the port', async () => {
    const databaseUrl = await testDatabase({ after });
    const unset = await start({});
    assert.equal(await unset.ended, 1);
    assert.equal(unset.output().trim(), 'DATABASE_URL is not set.');

    const first = await startReady({ DATABASE_URL: databaseUrl });
    const listen = first.address.slice('http://'.length);
    const second = await start({ DATABASE_URL: databaseUrl, API_LISTEN: listen });
    assert.equal(await second.ended, 1);
    assert.match(
      second.output(),
      /^The port \d+ on 127\.0\.0\.1 is already in use\. Set API_LISTEN to another one\.$/m,
    );
    first.child.kill('SIGTERM');
    await first.ended;
  });
});
