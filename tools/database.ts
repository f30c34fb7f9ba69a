/**
 * The database a command works with: the server that DATABASE_URL names, the
 * embedded one that already runs, or the embedded one started for the command.
 */
import { join } from 'node:path';
import postgres from 'postgres';
import type { Config } from '../apps/api/src/config.ts';
import { connectionOptions } from '../apps/api/src/platform/database-url.ts';
import { embeddedUrl, startPostgres } from './embedded-postgres.ts';
import { holderOf } from './lock.mjs';
import { PlainError } from './plain-error.ts';

export interface Database {
  url: string;
  /** Resolves with the server's last lines, should it end; never for a server of the user's. */
  ended: Promise<string[]>;
  stop(): Promise<void>;
}

/** The configured server, or the embedded one, which then is ours alone. */
export async function openDatabase(config: Config, log: (line: string) => void): Promise<Database> {
  if (config.databaseUrl === null) return startPostgres({ dataDir: config.dataDir, log });
  await refuseUnreachable(config.databaseUrl);
  return borrowed(config.databaseUrl);
}

/** For a command beside a running Cambist: uses its server when there is one. */
export async function joinDatabase(config: Config, log: (line: string) => void): Promise<Database> {
  const url = findDatabase(config);
  return url === null ? openDatabase(config, log) : borrowed(url);
}

/** The server that is there already; null for an embedded one that does not run. */
export function findDatabase({ databaseUrl, dataDir }: Config): string | null {
  const running = holderOf(join(dataDir, 'postgres.lock')) !== null;
  return databaseUrl ?? (running ? embeddedUrl(dataDir) : null);
}

function borrowed(url: string): Database {
  return { url, ended: new Promise(() => {}), stop: async () => {} };
}

/** @throws {PlainError} when the server does not answer or does not let us in. */
async function refuseUnreachable(url: string): Promise<void> {
  const options = connectionOptions(url);
  const sql = postgres({ connect_timeout: 10, ...options, max: 1, onnotice: () => {} });
  try {
    await sql`select 1`;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new PlainError(refusal(code, options, error), { cause: error });
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function refusal(code: string, options: ReturnType<typeof connectionOptions>, error: unknown) {
  const server = `${String(options.host)}:${String(options.port)}`;
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return `The database server at ${server} does not answer. Start it, or change DATABASE_URL.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `There is no database server called ${String(options.host)}. Change DATABASE_URL.`;
    case '28P01':
    case '28000':
      return `The database server at ${server} refuses the user ${options.username} or the password. Change DATABASE_URL.`;
    case '3D000':
      return `The database ${options.database} does not exist at ${server}. Create it, or change DATABASE_URL.`;
    default:
      return `The database at ${server} cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}
