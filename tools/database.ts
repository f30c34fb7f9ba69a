/**
 * The database a command works with: the server that DATABASE_URL names, the
 * embedded one that already runs, or the embedded one started for the command.
 */
import { join } from 'node:path';
import postgres from 'postgres';
import type { Config } from '../apps/api/src/config.ts';
import { migrate } from '../apps/api/src/migrate.ts';
import { connectionOptions } from '../apps/api/src/platform/database-url.ts';
import { embeddedUrls, startPostgres } from './embedded-postgres.ts';
import { holderOf } from './lock.mjs';
import { PlainError } from './plain-error.ts';

export interface Database {
  /** As the application's role. */
  url: string;
  /** As the owner of the tables, who migrates them; may be the same role on a server of the user's. */
  ownerUrl: string;
  /** Resolves with the server's last lines, should it end; never for a server of the user's. */
  ended: Promise<string[]>;
  stop(): Promise<void>;
}

/** The configured server, or the embedded one, which then is ours alone. */
export async function openDatabase(config: Config, log: (line: string) => void): Promise<Database> {
  const urls = config.databaseUrl === null ? null : databaseUrls(config);
  if (urls === null) return startPostgres({ dataDir: config.dataDir, log });
  const served = await databaseBehind(urls.url, 'DATABASE_URL');
  const owned = await databaseBehind(urls.ownerUrl, 'DATABASE_OWNER_URL');
  if (served === owned) return borrowed(urls);
  throw new PlainError(
    'DATABASE_OWNER_URL leads to another database than DATABASE_URL. Name the same one in both.',
  );
}

/** For a command beside a running Cambist: uses its server when there is one. */
export async function joinDatabase(config: Config, log: (line: string) => void): Promise<Database> {
  const urls = config.databaseUrl === null ? findDatabase(config) : null;
  return urls === null ? openDatabase(config, log) : borrowed(urls);
}

type Urls = Pick<Database, 'url' | 'ownerUrl'>;

/** The server that is there already; null for an embedded one that does not run. */
export function findDatabase(config: Config): Urls | null {
  const embedded = config.databaseUrl === null;
  if (embedded && holderOf(join(config.dataDir, 'postgres.lock')) === null) return null;
  return databaseUrls(config);
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

function borrowed(urls: Urls): Database {
  return { ...urls, ended: new Promise(() => {}), stop: async () => {} };
}

/**
 * What tells the database at this URL from any other.
 * @throws {PlainError} when the server does not answer or does not let us in.
 */
async function databaseBehind(url: string, variable: string): Promise<string> {
  const options = connectionOptions(url);
  const sql = postgres({ connect_timeout: 10, ...options, max: 1, onnotice: () => {} });
  try {
    const [row] = await sql<{ database: string }[]>`
      select system_identifier || ' ' || current_database() as database from pg_control_system()`;
    return row?.database ?? '';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new PlainError(refusal(variable, code, options, error), { cause: error });
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function refusal(
  variable: string,
  code: string,
  options: ReturnType<typeof connectionOptions>,
  error: unknown,
) {
  const server = `${String(options.host)}:${String(options.port)}`;
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return `The database server at ${server} does not answer. Start it, or change ${variable}.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `There is no database server called ${String(options.host)}. Change ${variable}.`;
    case '28P01':
    case '28000':
      return `The database server at ${server} refuses the user ${options.username} or the password. Change ${variable}.`;
    case '3D000':
      return `The database ${options.database} does not exist at ${server}. Create it, or change ${variable}.`;
    default:
      return `The database at ${server} cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}
