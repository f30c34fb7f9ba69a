/**
 * The database a command works with: the server that DATABASE_URL names, the embedded one that
 * already runs, or the embedded one started for the command.
 */
import postgres from 'postgres';
import type { Config } from '../apps/api/src/config.ts';
import { migrate } from '../apps/api/src/migrate.ts';
import { connectionOptions } from '../apps/api/src/platform/db/database-url.ts';
import { embeddedUrls, startPostgres } from './embedded-postgres.ts';
import { PlainError } from './plain-error.ts';

export interface Urls {
  /** As the application's role. */
  readonly url: string;
  /** As the owner of the tables, who migrates them; may be the same role on a server of the user's. */
  readonly ownerUrl: string;
}

/** Works on the database, beside a running Cambist too. */
export async function withDatabase<T>(
  config: Config,
  log: (line: string) => void,
  work: (urls: Urls) => Promise<T>,
): Promise<T> {
  const running = await findDatabase(config);
  if (running !== null) return work(running);
  const server = await startPostgres({ dataDir: config.dataDir, log });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** The server that answers already; null for an embedded one that does not run. */
export async function findDatabase(config: Config): Promise<Urls | null> {
  const urls = databaseUrls(config);
  if (urls === null || config.databaseUrl !== null) return urls;
  const isRunning = await identity(urls.url).catch(() => null);
  return isRunning === null ? null : urls;
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

/**
 * Whether DATABASE_URL and DATABASE_OWNER_URL lead to one database that answers.
 * @throws {PlainError} which of them does not, and why.
 */
export async function refuseWrongUrls({ url, ownerUrl }: Urls): Promise<void> {
  const [service, owner] = [
    await named('DATABASE_URL', url),
    await named('DATABASE_OWNER_URL', ownerUrl),
  ];
  if (service === owner) return;
  throw new PlainError(
    'DATABASE_OWNER_URL leads to another database than DATABASE_URL. Name the same one in both.',
  );
}

async function named(variable: string, url: string): Promise<string> {
  try {
    return await identity(url);
  } catch (error) {
    throw new PlainError(refusal(variable, url, error), { cause: error });
  }
}

/** Distinguishes the database at this URL from any other. */
async function identity(url: string): Promise<string> {
  const options = connectionOptions(url);
  const sql = postgres({ connect_timeout: 10, ...options, max: 1, onnotice: () => {} });
  try {
    const [row] = await sql<{ database: string }[]>`
      select system_identifier || ' ' || current_database() as database from pg_control_system()`;
    return row?.database ?? '';
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function refusal(variable: string, url: string, error: unknown): string {
  const { host, port, username, database } = connectionOptions(url);
  const server = `${String(host)}:${String(port)}`;
  switch (error instanceof Error && 'code' in error ? error.code : '') {
    case 'ECONNREFUSED':
    case 'ENOENT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return `The database server at ${server} does not answer. Start it, or change ${variable}.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `There is no database server called ${String(host)}. Change ${variable}.`;
    case '28P01':
    case '28000':
      return `The database server at ${server} refuses the user ${username} or the password. Change ${variable}.`;
    case '3D000':
      return `The database ${database} does not exist at ${server}. Create it, or change ${variable}.`;
    default:
      return `The database at ${server} cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}
