/**
 * `npm start`: from a fresh clone, or a killed start, to both servers answering.
 * Then keeps all parts running, and stops everything in order on Ctrl-C.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { warnings, type Config } from '../apps/api/src/config.ts';
import { hasUsers, requireFirstAdmin } from '../apps/api/src/first-start.ts';
import type { Seeded } from '../apps/api/src/seed.ts';
import { createEnvFile, holdsSealedValues } from './app-key.ts';
import {
  cachePath,
  loadConfiguration,
  ROOT,
  writeCache,
  type Configuration,
} from './configuration.ts';
import {
  databaseUrls,
  demoFolder,
  migrateDatabase,
  openDatabase,
  type Database,
} from './database.ts';
import { noteRunning } from './installed.mjs';
import { interruption } from './interruption.ts';
import { Locked, takeLock } from './lock.mjs';
import { keepRunning, PACE, type Kept } from './keep-running.ts';
import { readLogLine } from './log-line.ts';
import { PlainError, runCommand, withPlainErrors } from './plain-error.ts';
import { refuseUnfitPort } from './ports.ts';
import { makeFolder } from './private-file.ts';
import { say, step } from './progress.ts';
import { startServers, type Servers } from './servers.ts';
import { buildWeb, isWebBuilt } from './web-build.ts';
import { signIns, welcome } from './welcome.ts';

const files = { env: process.env };
const TROUBLE = new Set(['warn', 'error', 'fatal']);

await runCommand(async () => {
  const signal = interruption();
  const { config } = loadConfiguration(files);
  const isNew = databaseUrls(config) === null;
  if (isNew) await requireEverything(config);
  const lock = await lockData(config);
  await refuseUnfitPort('API_LISTEN', config.apiListen);
  await refuseUnfitPort('WEB_LISTEN', config.webListen);

  let database: Database | undefined;
  let kept: Kept | undefined;
  let servers: Servers | undefined;
  try {
    database = await step('Starting the database', () => openDatabase(config, say));
    await requireEverything({ ...config, databaseUrl: database.url });
    await step('Bringing the database up to date', () => migrateAll(config, database));
    const configuration = await configure(database.url);
    if (!isWebBuilt()) await step('Building the frontend', () => buildWeb(signal));
    if (signal.aborted) return;
    const { config: ready } = configuration;
    const seeded = await seedOnce(ready, database.url);

    const started = startServers(configuration, database.url, logLine(ready));
    servers = started;
    let told = false;
    try {
      await step('Starting the API and the frontend', () => started.ready(signal));
      if (!signal.aborted) {
        for (const line of welcome(ready, seeded)) say(line);
        told = true;
      }
    } finally {
      // The next start finds the admin there and could not tell the password any more.
      if (seeded !== null && !told) for (const line of signIns(ready, seeded)) say(line);
    }
    kept = keepDatabase(config, database);
    await Promise.race([aborted(signal), started.keep(say), kept.failed]);
    say();
  } catch (error) {
    // Whatever a stop interrupted is no failure.
    if (!signal.aborted) throw error;
  } finally {
    await stopAll(servers, kept ?? database);
    lock.release();
  }
});

async function lockData({ dataDir, frontendUrl }: Config): Promise<{ release: () => void }> {
  return withPlainErrors(dataDir, () => {
    makeFolder(dataDir);
    try {
      const lock = takeLock(join(dataDir, 'cambist.lock'), frontendUrl);
      noteRunning(ROOT, frontendUrl);
      return lock;
    } catch (error) {
      if (!(error instanceof Locked)) throw error;
      const { note, pid } = error.holder;
      throw new PlainError(
        `Cambist is already running on ${note} with the data in ${dataDir} (process ${pid}). Stop that one first, or set DATA_DIR, API_LISTEN and WEB_LISTEN for a second one.`,
      );
    }
  });
}

/** What a start in production must be told is asked for before anything is made or changed. */
async function requireEverything(config: Config): Promise<void> {
  if (config.appEnv !== 'production') return;
  await requireFirstAdmin(config);
  const { requireMail } = await import('../apps/api/src/mail-required.ts');
  await requireMail(config);
}

async function migrateAll(config: Config, database: Database | undefined): Promise<void> {
  if (database === undefined) return;
  await migrateDatabase(database, (line) => say(`  ${line}`), demoFolder(config));
}

/** Makes `.env`, its key and the cache where they are missing, and says what to know about them. */
async function configure(databaseUrl: string): Promise<Configuration> {
  const keyless = loadConfiguration(files).config.appKey === null;
  if (keyless && !(await holdsSealedValues(databaseUrl)) && (await createEnvFile(ROOT))) {
    say('  .env is new, with a fresh APP_KEY.');
    await writeCache(files);
  }
  if (!existsSync(cachePath(files))) await writeCache(files);
  const configuration = loadConfiguration(files);
  for (const note of [...configuration.notes, ...warnings(configuration.config)]) {
    say(styleText('yellow', `Note: ${note}`, { stream: process.stdout }));
  }
  return configuration;
}

async function seedOnce(config: Config, databaseUrl: string): Promise<Seeded | null> {
  return step('Looking after the first data', async () => {
    if (await hasUsers(databaseUrl)) return null;
    // Loads the whole application, which only a first start has a use for.
    const { seed } = await import('../apps/api/src/seed.ts');
    return seed({ ...config, databaseUrl }, (line) => say(`  ${line}`));
  });
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

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * The embedded server is started again on the same socket with the same passwords,
 * so that the API finds it where it was; it recovers what was committed by itself.
 */
function keepDatabase(config: Config, first: Database): Kept {
  const again = async () => {
    const next = await openDatabase(config, say);
    say('The database answers again.');
    return next;
  };
  // Never given up: on a full disk it cannot start until somebody makes room, and then it must.
  const pace = { ...PACE, longestMs: 10_000, most: Number.POSITIVE_INFINITY };
  return keepRunning({ name: 'database', first, again, say, pace });
}

/** The servers first, then the database that they use. */
async function stopAll(
  servers: Servers | undefined,
  database: Pick<Database, 'stop'> | undefined,
): Promise<void> {
  if (servers === undefined && database === undefined) return;
  await step('Stopping', async () => {
    await servers?.stop();
    await database?.stop();
  });
}
