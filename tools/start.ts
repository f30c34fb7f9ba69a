/**
 * `npm start`: from a fresh clone, or a killed start, to both servers answering. Then it keeps all
 * parts running, and stops everything in order on Ctrl-C. It stays small: what builds, migrates
 * and seeds is a child process.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../apps/api/src/config.ts';
import type { Seeded } from '../apps/api/src/seed.ts';
import { apiBuild } from './api-build.ts';
import { buildName, isBuilt } from './build-folder.ts';
import { runJob, type Job } from './child.ts';
import { cachePath, loadConfiguration, notesOn, ROOT } from './configuration.ts';
import { embeddedUrls, lockData, startOnLocked, type RunningPostgres } from './postgres/server.ts';
import { interruption } from './interruption.ts';
import { keepRunning } from './start/keep-running.ts';
import { readLogLine } from './start/log-line.ts';
import { PlainError, runCommand } from './plain-error.ts';
import type { Message } from './prepare.ts';
import { refuseTakenPort } from './ports.ts';
import { say, step } from './progress.ts';
import { startServers, type Servers } from './start/servers.ts';
import { signIns, welcome } from './start/welcome.ts';
import { webBuild } from './web-build.ts';

const files = { env: process.env };
const TROUBLE = new Set(['warn', 'error', 'fatal']);

await runCommand(async () => {
  const { config } = loadConfiguration(files);
  const lock = await lockData(config.dataDir, config.frontendUrl);
  const parts: Parts = { database: undefined, servers: undefined, seeded: null };
  const interrupted = interruption();
  try {
    await refuseTakenPort('API_LISTEN', config.apiListen);
    await refuseTakenPort('WEB_LISTEN', config.webListen);
    const started = await start(config, parts, interrupted);
    if (interrupted.aborted) return;
    for (const line of welcome(started, parts.seeded)) say(line);
    parts.seeded = null;
    await aborted(interrupted);
    say();
  } catch (error) {
    // What a stop interrupted is no failure.
    if (!interrupted.aborted) throw error;
  } finally {
    // The next start finds the admin and cannot show the password any more.
    if (parts.seeded !== null) for (const line of signIns(config, parts.seeded)) say(line);
    await stopAll(parts);
    lock.release();
  }
});

interface Parts {
  database: Pick<RunningPostgres, 'stop'> | undefined;
  servers: Servers | undefined;
  /** The sign-ins of new data, until they are shown. */
  seeded: Seeded | null;
}

/** While the database is prepared, the frontend is built and the API loads its modules. */
async function start(config: Config, parts: Parts, interrupted: AbortSignal): Promise<Config> {
  const broken = new AbortController();
  const signal = AbortSignal.any([interrupted, broken.signal]);
  const all = (work: readonly Promise<unknown>[]) => {
    for (const each of work) each.catch(() => broken.abort());
    return allOf(work);
  };
  // First, since making the database's files blocks this process for a second.
  const build = buildName(apiBuild);
  const built = buildBoth(build, signal);
  const prepared = prepareDatabase(config, parts, { build, signal });
  // Both are made while the database is prepared: the key, and the address of a new database.
  const known = config.databaseUrl ?? embeddedUrls(config.dataDir)?.url;
  if (config.appKey === null || known === undefined) await all([prepared, built]);

  const databaseUrl = known ?? embeddedUrls(config.dataDir)?.url ?? '';
  const configuration = loadConfiguration(files);
  const onLine = logLine(configuration.config);
  const servers = startServers({ configuration, databaseUrl, prepared, built, onLine, say });
  parts.servers = servers;
  const ready = step('Starting the API and the frontend', () => servers.ready);
  await all([prepared, built, Promise.race([ready, aborted(signal)])]);
  return configuration.config;
}

/** In a process of its own, which holds the memory that a build takes. */
async function buildBoth(name: string, signal: AbortSignal): Promise<void> {
  if (isBuilt(apiBuild, name) && isBuilt(webBuild)) return;
  await step('Building the API and the frontend', () => runTool('build.ts', { signal }));
}

/** Starts the embedded database, migrates it and fills a new one, see prepare.ts. */
async function prepareDatabase(
  config: Config,
  parts: Parts,
  { build, signal }: { build: string; signal: AbortSignal },
): Promise<void> {
  if (config.databaseUrl === null) {
    const launch = () => startOnLocked({ dataDir: config.dataDir });
    const again = async () => {
      const next = await launch();
      say('The database answers again.');
      return next;
    };
    const first = await step('Starting the database', launch);
    parts.database = keepRunning({ name: 'database', first, again, say });
  }
  if (await needsNothing(config, build)) {
    for (const note of notesOn(loadConfiguration(files))) say(note);
    return;
  }
  const onMessage = (message: unknown) => {
    const { line, seeded } = message as Message;
    if (line !== undefined) say(`  ${line}`);
    if (seeded !== undefined) parts.seeded = seeded;
  };
  await step('Preparing the database', () =>
    runTool('prepare.ts', { signal, channel: true, onMessage }),
  );
}

/** Whether `prepare.ts` of this build has done its work already. */
async function needsNothing(config: Config, build: string): Promise<boolean> {
  const url = config.databaseUrl ?? embeddedUrls(config.dataDir)?.url;
  if (config.appKey === null || url === undefined || !existsSync(cachePath(files))) return false;
  const { isPrepared } = await import('../apps/api/src/prepared.ts');
  return isPrepared(build, url);
}

async function runTool(name: string, options: Partial<Job>): Promise<void> {
  const command = [process.execPath, join(ROOT, 'tools', name)];
  const { code, lines } = await runJob({ command, env: process.env, ...options });
  if (code !== 0) throw new PlainError(lines.join('\n'));
}

/** Waits for the end of all, also where one fails. */
async function allOf(work: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/**
 * In production every line goes out, for the system's journal. Locally they go
 * to the file, and only what is wrong appears here.
 */
function logLine({ appEnv }: Config): (line: string) => void {
  if (appEnv === 'production') return say;
  return (line) => {
    const entry = readLogLine(line);
    if (entry !== null && TROUBLE.has(entry.level)) say(`${entry.level}: ${entry.text}`);
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** The servers first, then the database that they use. */
async function stopAll({ servers, database }: Parts): Promise<void> {
  if (servers === undefined && database === undefined) return;
  await step('Stopping', async () => {
    await servers?.stop();
    await database?.stop();
  });
}
