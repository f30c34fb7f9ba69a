/**
 * The database a command works with: the server that DATABASE_URL names, the embedded one that
 * already runs, or the embedded one started for the command.
 */
import postgres from 'postgres';
import type { Config } from '../../apps/api/src/config.ts';
import { migrate } from '../../apps/api/src/migrate.ts';
import { connectionOptions } from '../../apps/api/src/platform/db/database-url.ts';
import { embeddedUrls, startPostgres } from './server.ts';
import { PlainError } from '../plain-error.ts';

export interface Urls {
  /** As the application's role. */
  readonly url: string;
  /** As the owner of the tables, who migrates them; may be the same role on a server of the user's. */
  readonly ownerUrl: string;
}

/** Works on the database, beside a running Cambist too. */
export async function withDatabase<T>(
  config: Config,
  work: (urls: Urls) => Promise<T>,
): Promise<T> {
  const urls = databaseUrls(config);
  const isRunning = urls !== null && (await connectionError(urls.url)) === null;
  if (urls !== null && (isRunning || config.databaseUrl !== null)) return work(urls);
  const server = await startPostgres({ dataDir: config.dataDir });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** Whether the server runs or not; null where an embedded one was never started. */
export function databaseUrls({ databaseUrl: url, databaseOwnerUrl, dataDir }: Config): Urls | null {
  return url === null ? embeddedUrls(dataDir) : { url, ownerUrl: databaseOwnerUrl ?? url };
}

/**
 * Brings the database up to date as its owner, and gives the application's role its rights.
 * `demoFolder` lets a demo database with another history be recreated.
 * @throws {MigrationError}
 */
export async function migrateDatabase(
  { url, ownerUrl }: Urls,
  log?: (line: string) => void,
  demoFolder: string | null = null,
): Promise<number> {
  const applicationRole = ownerUrl === url ? null : connectionOptions(url).username;
  return migrate(ownerUrl, { log, applicationRole, demoFolder });
}

/** Where the embedded database of a local installation lies; null for any other database. */
export function demoFolder({ appEnv, databaseUrl, dataDir }: Config): string | null {
  return appEnv === 'local' && databaseUrl === null ? dataDir : null;
}

/** @throws {PlainError} why the database that this variable names cannot be used. */
export async function requireAnswer(variable: string, url: string): Promise<void> {
  const error = await connectionError(url);
  if (error !== null) throw new PlainError(`${variable} cannot be used: ${error}`);
}

/** What the server or the network says against a connection; null when it is answered. */
async function connectionError(url: string): Promise<string | null> {
  const sql = postgres({ connect_timeout: 10, ...connectionOptions(url), max: 1 });
  try {
    await sql`select 1`;
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
