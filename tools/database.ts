/**
 * The database a command works with: the server that DATABASE_URL names, the
 * embedded one that already runs, or the embedded one started for the command.
 */
import { join } from 'node:path';
import type { Config } from '../apps/api/src/config.ts';
import { embeddedUrl, startPostgres } from './embedded-postgres.ts';
import { holderOf } from './lock.mjs';

export interface Database {
  url: string;
  /** Resolves with the server's last lines, should it end; never for a server of the user's. */
  ended: Promise<string[]>;
  stop(): Promise<void>;
}

/** The configured server, or the embedded one, which then is ours alone. */
export async function openDatabase(config: Config, log: (line: string) => void): Promise<Database> {
  if (config.databaseUrl === null) return startPostgres({ dataDir: config.dataDir, log });
  return borrowed(config.databaseUrl);
}

/** For a command beside a running Cambist: uses its server when there is one. */
export async function joinDatabase(config: Config, log: (line: string) => void): Promise<Database> {
  const running = holderOf(join(config.dataDir, 'postgres.lock')) !== null;
  const url = config.databaseUrl ?? (running ? embeddedUrl(config.dataDir) : null);
  return url === null ? openDatabase(config, log) : borrowed(url);
}

function borrowed(url: string): Database {
  return { url, ended: new Promise(() => {}), stop: async () => {} };
}
