/** The service as a bench asks it: with a demo desk of its own, and throttles that count and refuse nothing. */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../apps/api/src/config.ts';
import { withDatabase } from '../apps/api/src/platform/db/database-url.ts';
import { seed } from '../apps/api/src/seed.ts';
import { makeBuild } from '../tools/build-folder.ts';
import { migrateDatabase } from '../tools/postgres/database.ts';
import { startPostgres } from '../tools/postgres/server.ts';
import { freePort } from '../tools/ports.ts';
import { webBuild } from '../tools/web-build.ts';

export const APP_KEY = Buffer.alloc(32, 1);

export interface Service {
  readonly origin: string;
  readonly pid: number;
  readonly databaseUrl: string;
  /** As the superuser, for what no trigger may see. */
  readonly superuserUrl: string;
  /** The variables that it runs with. */
  readonly variables: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** The service on a migrated database of its own, which holds the demo desk; `changes` are variables. */
export async function startService(
  changes: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cambist-bench-'));
  const database = await startPostgres({ dataDir, fsync: false });
  const stopDatabase = async () => {
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const listen = `127.0.0.1:${await freePort()}`;
  const variables = {
    APP_KEY: `base64:${APP_KEY.toString('base64')}`,
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    API_LISTEN: listen,
    THROTTLE_SCALE: '100000',
    ...changes,
  };
  try {
    await migrateDatabase(database);
    await seed(readConfig(variables), () => undefined);
    const api = fork(new URL('../apps/api/src/main.ts', import.meta.url), {
      env: { ...process.env, ...variables, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    // Its log is written and read, as by the launcher.
    api.stdout?.resume();
    await message(api);
    return {
      origin: `http://${listen}`,
      pid: api.pid ?? 0,
      databaseUrl: database.ownerUrl,
      superuserUrl: withDatabase(database.adminUrl, 'cambist'),
      variables,
      async stop() {
        api.disconnect();
        await new Promise((resolve) => api.once('exit', resolve));
        await stopDatabase();
      },
    };
  } catch (error) {
    await stopDatabase();
    throw error;
  }
}

/** The frontend as it is built, for this service. */
export async function startSite({
  origin: api,
}: Service): Promise<Pick<Service, 'origin' | 'pid' | 'stop'>> {
  await makeBuild(webBuild);
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const site = fork(new URL('../apps/web/build/current/index.js', import.meta.url), {
    execArgv: ['--import', new URL('../tools/start/end-with-parent.mjs', import.meta.url).href],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: port,
      ORIGIN: origin,
      API_URL: api,
    },
  });
  while (
    !(await fetch(origin).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await sleep(100);
  return {
    origin,
    pid: site.pid ?? 0,
    async stop() {
      site.kill('SIGKILL');
      await new Promise((resolve) => site.once('exit', resolve));
    },
  };
}

const agent = new Agent({ keepAlive: true });

interface Answer {
  readonly status: number;
  readonly body: Buffer;
  /** Name, value, name, value …. */
  readonly headers: readonly string[];
}

/** By `node:http`: `fetch` takes three times its processor time, on the machine that is measured. @throws {Error} for a refusal */
export function send(url: string, headers: Readonly<Record<string, string>>, body?: string) {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const options = {
    agent,
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...length },
  };
  request(url, options, (answer) => {
    const parts: Buffer[] = [];
    answer.on('data', (part: Buffer) => parts.push(part));
    answer.on('end', () => {
      const { statusCode: status = 0, rawHeaders } = answer;
      const whole = Buffer.concat(parts);
      if (status < 300 || status === 304) resolve({ status, body: whole, headers: rawHeaders });
      else reject(new Error(`${url} answered ${status}: ${whole.toString()}`));
    });
  })
    .on('error', reject)
    .end(body);
  return promise;
}

/** The first message of a child: each says so once it is ready. */
export function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (value) => resolve(value as T));
    child.once('exit', (code) => reject(new Error(`A server ended with ${code}.`)));
  });
}

/** The headers with which the session of these cookies writes. */
export function sessionOf(answer: Response): Record<string, string> {
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const token = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice(11) ?? '';
  return {
    cookie: cookies.join('; '),
    'x-xsrf-token': decodeURIComponent(token),
    'content-type': 'application/json',
  };
}

export const openSession = async ({ origin }: Service) =>
  sessionOf(await fetch(`${origin}/stateful/csrf-cookie`));

export const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const TICKS_PER_SECOND = 100;

/** Processor time of a process so far, in milliseconds. */
export function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

/** Resident memory of a process. */
export function memoryKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
