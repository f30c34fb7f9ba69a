/**
 * `npm start`: from a fresh clone, or a killed start, to both servers answering.
 * Stops everything in order on Ctrl-C, and everything when one part dies.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { styleText } from 'node:util';
import { warnings, type Config } from '../apps/api/src/config.ts';
import { migrate } from '../apps/api/src/migrate.ts';
import { createEnvFile, holdsSealedValues } from './app-key.ts';
import {
  cachePath,
  loadConfiguration,
  ROOT,
  writeCache,
  type Configuration,
} from './configuration.ts';
import { openDatabase, type Database } from './database.ts';
import { seedFirstData, type FirstAdmin } from './first-data.ts';
import { interruption } from './interruption.ts';
import { Locked, takeLock } from './lock.mjs';
import { PlainError, runCommand, withPlainErrors } from './plain-error.ts';
import { refuseTakenPort } from './ports.ts';
import { say, step } from './progress.ts';
import { startServers, type Servers } from './servers.ts';
import { buildWeb, isWebBuilt } from './web-build.ts';

const files = { env: process.env };

await runCommand(async () => {
  const signal = interruption();
  const { config } = loadConfiguration(files);
  const lock = await lockData(config);
  await refuseTakenPort('API_LISTEN', config.apiListen);
  await refuseTakenPort('WEB_LISTEN', config.webListen);

  let database: Database | undefined;
  let servers: Servers | undefined;
  try {
    database = await step('Starting the database', () => openDatabase(config, say));
    await step('Bringing the database up to date', () => migrateAll(database));
    const configuration = await configure(database.url);
    const admin = await seedOnce(configuration.config, database.url);
    if (!isWebBuilt()) await step('Building the frontend', () => buildWeb(signal));
    if (signal.aborted) return;

    const started = startServers(configuration, database.url, logLine(configuration.config));
    servers = started;
    await step('Starting the API and the frontend', () => started.ready(signal));
    if (!signal.aborted) welcome(configuration, admin);
    await Promise.race([aborted(signal), started.failed, endOf(database)]);
    say();
  } catch (error) {
    // Whatever a stop interrupted is no failure.
    if (!signal.aborted) throw error;
  } finally {
    await stopAll(servers, database);
    lock.release();
  }
});

async function lockData({ dataDir, frontendUrl }: Config): Promise<{ release: () => void }> {
  return withPlainErrors(dataDir, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    try {
      return takeLock(join(dataDir, 'cambist.lock'), frontendUrl);
    } catch (error) {
      if (!(error instanceof Locked)) throw error;
      const { note, pid } = error.holder;
      throw new PlainError(
        `Cambist is already running on ${note} with the data in ${dataDir} (process ${pid}). Stop that one first, or set DATA_DIR, API_LISTEN and WEB_LISTEN for a second one.`,
      );
    }
  });
}

async function migrateAll(database: Database | undefined): Promise<void> {
  if (database !== undefined) await migrate(database.url, (line) => say(`  ${line}`));
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

async function seedOnce(config: Config, databaseUrl: string): Promise<FirstAdmin | null> {
  return step('Looking after the first data', () =>
    seedFirstData({ ...config, databaseUrl }, (line) => say(`  ${line}`)),
  );
}

function welcome({ config }: Configuration, admin: FirstAdmin | null): void {
  const bold = (text: string) => styleText('bold', text, { stream: process.stdout });
  say();
  say(bold('Cambist is ready.'));
  say();
  say(`  Site   ${config.frontendUrl}`);
  say(`  API    ${config.appUrl}`);
  if (admin !== null) {
    say(`  Admin  ${admin.adminEmail}`);
    say(
      admin.adminPassword === null
        ? '         with the password that was set before'
        : `         ${bold(admin.adminPassword)}  (shown this once; sign in at ${config.frontendUrl}/signin)`,
    );
  }
  say();
  say(
    `  Data and logs are in ${relative(process.cwd(), config.dataDir) || config.dataDir}. Ctrl-C stops everything.`,
  );
  say();
}

/**
 * In production every line goes out, for the system's journal. Locally they go
 * to the file, and only what is wrong appears here.
 */
function logLine({ appEnv }: Config): (line: string) => void {
  if (appEnv === 'production') return (line) => process.stdout.write(`${line}\n`);
  return (line) => {
    const entry = parseLog(line);
    if (entry !== null && entry.level >= 40)
      say(`${entry.level >= 50 ? 'Error' : 'Warning'}: ${entry.text}`);
  };
}

function parseLog(line: string): { level: number; text: string } | null {
  if (!line.startsWith('{')) return null;
  try {
    const { level, msg, err, reqId } = JSON.parse(line) as {
      level?: number;
      msg?: string;
      err?: { message?: string };
      reqId?: string;
    };
    const text = [msg, err?.message, reqId && `(request ${reqId})`].filter(Boolean).join(' ');
    return typeof level === 'number' ? { level, text } : null;
  } catch {
    return null;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function endOf(database: Database): Promise<never> {
  const lines = await database.ended;
  throw new PlainError(
    `The database stopped by itself. Its last lines were:\n  ${lines.slice(-8).join('\n  ')}`,
  );
}

/** The servers first, then the database that they use. */
async function stopAll(
  servers: Servers | undefined,
  database: Database | undefined,
): Promise<void> {
  if (servers === undefined && database === undefined) return;
  await step('Stopping', async () => {
    await servers?.stop();
    await database?.stop();
  });
}
