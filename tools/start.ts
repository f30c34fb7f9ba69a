/**
 * `npm start`: from a fresh clone, or a killed start, to both servers answering. Then it keeps all
 * parts running, and stops everything in order on Ctrl-C. It stays small: what builds, migrates
 * and seeds is a child process.
 */
import { join } from 'node:path';
import type { Config } from '../apps/api/src/config.ts';
import type { Seeded } from '../apps/api/src/seed.ts';
import { runJob, type Job } from './child.ts';
import { loadConfiguration, ROOT } from './configuration.ts';
import {
  embeddedUrls,
  lockData,
  startOnLocked,
  type RunningPostgres,
} from './embedded-postgres.ts';
import { interruption } from './interruption.ts';
import { keepRunning, PACE, type Supervised } from './keep-running.ts';
import { readLogLine } from './log-line.ts';
import { PlainError, runCommand } from './plain-error.ts';
import type { Message } from './prepare.ts';
import { refuseTakenPort } from './ports.ts';
import { say, step } from './progress.ts';
import { startServers, type Servers } from './servers.ts';
import { signIns, welcome } from './welcome.ts';

const files = { env: process.env };
const TROUBLE = new Set(['warn', 'error', 'fatal']);
/** On a full disk the database cannot start until there is room again, and then it must. */
const DATABASE_PACE = { ...PACE, longestMs: 10_000, most: Number.POSITIVE_INFINITY };

await runCommand(async () => {
  const signal = interruption();
  const { config } = loadConfiguration(files);
  await refuseBareProduction(config);
  const lock = await lockData(config.dataDir, config.frontendUrl);
  let database: RunningPostgres | undefined;
  let supervised: Supervised | undefined;
  let servers: Servers | undefined;
  const first: { seeded: Seeded | null } = { seeded: null };
  try {
    await refuseTakenPort('API_LISTEN', config.apiListen);
    await refuseTakenPort('WEB_LISTEN', config.webListen);
    const building = new AbortController();
    const prepareDatabase = async () => {
      if (config.databaseUrl === null)
        database = await step('Starting the database', () => startDatabase(config));
      await prepare(signal, (seeded) => (first.seeded = seeded));
    };
    // First, since making the database's files blocks this process for a second.
    const frontend = build(AbortSignal.any([signal, building.signal]));
    await allOf([
      prepareDatabase().catch((error: unknown) => {
        building.abort();
        throw error;
      }),
      frontend,
    ]);
    if (signal.aborted) return;

    const configuration = loadConfiguration(files);
    const url = database?.url ?? config.databaseUrl ?? '';
    servers = startServers(configuration, url, logLine(configuration.config));
    await step('Starting the API and the frontend', async () => servers?.ready(signal));
    if (signal.aborted) return;
    for (const line of welcome(configuration.config, first.seeded)) say(line);
    first.seeded = null;
    if (database !== undefined) supervised = keepDatabase(config, database);
    await Promise.race([aborted(signal), servers.keep(say), supervised?.failed ?? forever()]);
    say();
  } catch (error) {
    // What a stop interrupted is no failure.
    if (!signal.aborted) throw error;
  } finally {
    // The next start finds the admin and cannot show the password any more.
    if (first.seeded !== null) for (const line of signIns(config, first.seeded)) say(line);
    await stopAll(servers, supervised ?? database);
    lock.release();
  }
});

/** What a first start in production must be told is asked for before anything is made. */
async function refuseBareProduction(config: Config): Promise<void> {
  const isNew = config.databaseUrl === null && embeddedUrls(config.dataDir) === null;
  if (!isNew || config.appEnv !== 'production') return;
  const { admin, mail } = config;
  if (admin.email !== null && mail.server !== null) return;
  const { requireFirstAdmin } = await import('../apps/api/src/first-start.ts');
  await requireFirstAdmin(config);
  const { requireMail } = await import('../apps/api/src/mail-required.ts');
  await requireMail(config);
}

function startDatabase({ dataDir }: Config): Promise<RunningPostgres> {
  return startOnLocked({ dataDir, log: (line) => say(`  ${line}`) });
}

/** Migrates the database and fills a new one, see prepare.ts. */
async function prepare(signal: AbortSignal, onSeeded: (seeded: Seeded) => void): Promise<void> {
  const onMessage = (message: unknown) => {
    const { line, seeded } = message as Message;
    if (line !== undefined) say(`  ${line}`);
    if (seeded !== undefined) onSeeded(seeded);
  };
  await step('Preparing the database', () =>
    runTool('prepare.ts', { signal, channel: true, onMessage }),
  );
}

async function build(signal: AbortSignal): Promise<void> {
  await step('Building the frontend', () => runTool('build.ts', { signal }));
}

async function runTool(name: string, options: Partial<Job>): Promise<void> {
  const command = [process.execPath, join(ROOT, 'tools', name)];
  const { code, lines } = await runJob({ command, env: process.env, ...options });
  if (code !== 0) throw new PlainError(lines.join('\n'));
}

/** Waits for the end of both, also where the other one fails. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/**
 * In production every line goes out, for the system's journal. Locally they go
 * to the file, and only what is wrong appears here.
 */
function logLine({ appEnv }: Config): (line: string) => void {
  if (appEnv === 'production') return (line) => process.stdout.write(`${line}\n`);
  return (line) => {
    const entry = readLogLine(line);
    if (entry !== null && TROUBLE.has(entry.level)) say(`${entry.level}: ${entry.text}`);
  };
}

/**
 * The embedded server is started again on the same socket with the same passwords,
 * so that the API finds it where it was; it recovers what was committed by itself.
 */
function keepDatabase(config: Config, first: RunningPostgres): Supervised {
  const again = async () => {
    const next = await startDatabase(config);
    say('The database answers again.');
    return next;
  };
  return keepRunning({ name: 'database', first, again, say, pace: DATABASE_PACE });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function forever(): Promise<never> {
  return new Promise(() => {});
}

/** The servers first, then the database that they use. */
async function stopAll(
  servers: Servers | undefined,
  database: Pick<RunningPostgres, 'stop'> | undefined,
): Promise<void> {
  if (servers === undefined && database === undefined) return;
  await step('Stopping', async () => {
    await servers?.stop();
    await database?.stop();
  });
}
