/** Whether a start can go on to send letters, asked before anything is made or migrated for it. */
import { pino } from 'pino';
import { findMailProblem, noMailServer } from '#features/email/email.ts';
import { sqlState } from '#platform/db/database.ts';
import { ConfigError } from './environment.ts';
import type { Config } from './config.ts';
import { openDeps } from './open.ts';

const UNDEFINED_TABLE = '42P01';

/**
 * Refuses a start in production that no mail server is named for, neither in
 * the environment nor in the settings. The database need not be migrated; null
 * in `config.databaseUrl` says that there is none yet.
 * @throws {ConfigError}
 */
export async function requireMail(config: Config): Promise<void> {
  if (config.appEnv !== 'production' || config.mail.server !== null) return;
  const lack =
    config.databaseUrl === null ? noMailServer : await lackIn(config, config.databaseUrl);
  if (lack !== null) throw new ConfigError([lack]);
}

async function lackIn(config: Config, databaseUrl: string): Promise<string | null> {
  const log = pino({ level: 'silent' });
  const { deps, close } = openDeps({ config, databaseUrl, log, poolSize: 2 });
  try {
    return await findMailProblem(deps);
  } catch (error) {
    // Settings that were never made name no server.
    if (sqlState(error) === UNDEFINED_TABLE) return noMailServer;
    throw error;
  } finally {
    await close();
  }
}
