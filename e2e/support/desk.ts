/**
 * A desk of its own for journeys: the product as `npm start` runs it, on ports and data of its own,
 * and the browser that visits it. Nothing here knows the inside of either application.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';
import { VARIABLES } from '../../apps/api/src/environment.ts';
import { findChromium } from '../../tools/test/chromium.ts';
import { embeddedUrls } from '../../tools/postgres/server.ts';
import { freePort } from '../../tools/ports.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const startLimitMs = 300_000;
const stopLimitMs = 20_000;

export interface Desk {
  /** The frontend's origin as the browser sees it. */
  readonly web: string;
  readonly api: string;
  readonly admin: { readonly email: string; readonly password: string };
  /** The process of `npm start`. */
  readonly pid: number;
  /** With its password. */
  databaseUrl(): string;
  /** The end of what its first start and it have printed. */
  output(): string;
  /** Answers its exit code; null when it had to be killed. */
  stop(): Promise<number | null>;
}

export interface DeskOptions {
  /** Host names of the two origins; both resolve to this machine. */
  readonly webHost?: string;
  readonly apiHost?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts the product on the data of the demo desk and waits until both applications answer. */
export async function startDesk(options: DeskOptions = {}): Promise<Desk> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cambist-e2e-'));
  const firstOutput = await copyDemoData(dataDir);
  const desk = await launchDesk(dataDir, options, firstOutput);
  return {
    ...desk,
    async stop() {
      const code = await desk.stop();
      await rm(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}

/**
 * The data of a first start, which costs a minute on a busy machine: of the desks that a run starts at
 * the same time one makes it, in the folder that the run names, and all copy it.
 * @returns What the first start printed; nothing without such a folder, where each desk makes its own.
 */
async function copyDemoData(dataDir: string): Promise<string> {
  const folder = process.env['DEMO_DATA'];
  if (folder === undefined) return '';
  const output = `${folder}.txt`;
  const isFirst = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const desk = await launchDesk(folder);
    await desk.stop();
    await writeFile(output, desk.output());
  }
  for (const deadline = Date.now() + startLimitMs; !existsSync(output); await sleep(200)) {
    if (Date.now() > deadline) throw new Error('Another desk did not make the demo data.');
  }
  // By `cp`, since PostgreSQL asks who owns its files. Locks, logs and caches are of one start alone.
  const parts = ['database.json', 'postgres', 'public'].map((name) => join(folder, name));
  await promisify(execFile)('cp', ['-a', ...parts, dataDir]);
  return readFile(output, 'utf8');
}

/** `npm start` on this data, which the first one makes. */
export async function launchDesk(
  dataDir: string,
  options: DeskOptions = {},
  firstOutput = '',
): Promise<Desk> {
  const { webHost = 'localhost', apiHost = 'localhost', environment = {} } = options;
  const [apiPort, webPort] = [await freePort(), await freePort()];
  const admin = { email: 'desk@cambist.example', password: 'a desk for the journeys' };
  const web = `http://${webHost}:${webPort}`;
  const api = `http://${apiHost}:${apiPort}`;
  const child = spawn(process.execPath, [join(root, 'tools/bootstrap.mjs'), 'start'], {
    cwd: root,
    // The channel tells it to stop when this process was killed.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...cleanEnvironment(),
      APP_ENV: 'local',
      APP_KEY: `base64:${Buffer.alloc(32, 7).toString('base64')}`,
      DATA_DIR: dataDir,
      API_LISTEN: `127.0.0.1:${apiPort}`,
      WEB_LISTEN: `127.0.0.1:${webPort}`,
      APP_URL: api,
      FRONTEND_URL: web,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      THROTTLE_SCALE: '20',
      ...environment,
    },
  });
  child.channel?.unref();
  const output = collect(child, firstOutput);
  try {
    await ready(child, [
      `http://127.0.0.1:${apiPort}/health/ready`,
      `http://127.0.0.1:${webPort}/`,
    ]);
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`The desk did not start:\n${output.text}`, { cause: error });
  }
  return {
    web,
    api,
    admin,
    pid: child.pid ?? 0,
    databaseUrl() {
      const urls = embeddedUrls(dataDir);
      if (urls === null) throw new Error('The desk has no database.');
      return urls.url;
    },
    output: () => output.text,
    stop: () => stopDesk(child),
  };
}

/** Neither the shell's settings nor a developer's .env may reach a journey: what is empty counts as unset. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, ...Object.fromEntries(VARIABLES.map((name) => [name, ''])) };
}

function collect(child: ChildProcess, text: string): { text: string } {
  const output = { text };
  const add = (part: Buffer) => (output.text = (output.text + part.toString()).slice(-20_000));
  child.stdout?.on('data', add);
  child.stderr?.on('data', add);
  return output;
}

async function ready(child: ChildProcess, addresses: readonly string[]): Promise<void> {
  const deadline = Date.now() + startLimitMs;
  for (const address of addresses) {
    for (;;) {
      if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`);
      if (Date.now() > deadline) throw new Error(`${address} does not answer.`);
      if (await answers(address)) break;
      await sleep(20);
    }
  }
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(address, { redirect: 'manual' })).ok;
  } catch {
    return false;
  }
}

async function stopDesk(child: ChildProcess): Promise<number | null> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await Promise.race([ended, sleep(stopLimitMs, undefined, { ref: false })]);
  if (child.exitCode === null) child.kill('SIGKILL');
  return child.exitCode;
}

/** Chromium without anything that would call out; `rules` map host names to this machine. */
export async function openBrowser({
  rules,
  debuggingPort,
}: { rules?: string; debuggingPort?: number } = {}): Promise<Browser> {
  const executablePath = findChromium(process.env);
  if (executablePath === null) throw new Error('No Chromium found: set CHROMIUM to its path.');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(rules ? [`--host-resolver-rules=${rules}`] : []),
      ...(debuggingPort ? [`--remote-debugging-port=${debuggingPort}`] : []),
    ],
  });
}
