/** The service in a process of its own, as in production, on the database of a test. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { after } from 'node:test';
import { freePort } from '../../../tools/ports.ts';
import type { Client } from './client.ts';
import type { TestApi } from './harness.ts';

const MAIN = resolve(import.meta.dirname, '../src/main.ts');
export const APP_KEY = Buffer.alloc(32, 7);

export async function startService(
  api: TestApi,
): Promise<{ child: ChildProcess; address: string }> {
  const port = await freePort();
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      APP_KEY: `base64:${APP_KEY.toString('base64')}`,
      API_LISTEN: `127.0.0.1:${port}`,
      DATA_DIR: api.deps.config.dataDir,
      DATABASE_URL: api.databaseUrl,
      THROTTLE_SCALE: '0',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  after(() => child.kill('SIGKILL'));
  await once(child, 'message');
  return { child, address: `http://127.0.0.1:${port}` };
}

/** As the client of the test, whose cookies the service knows. */
export async function send(
  address: string,
  client: Client,
  ask: { method: string; path: string; key: string; body?: object },
) {
  const response = await fetch(address + ask.path, {
    method: ask.method,
    headers: {
      ...(ask.body && { 'content-type': 'application/json' }),
      'idempotency-key': ask.key,
      origin: 'http://localhost:4000',
      cookie: [...client.jar].map((pair) => pair.join('=')).join('; '),
      'x-xsrf-token': client.jar.get('XSRF-TOKEN') ?? '',
    },
    ...(ask.body && { body: JSON.stringify(ask.body) }),
  });
  const { status, headers } = response;
  return { status, headers: Object.fromEntries(headers), text: await response.text() };
}
