/**
 * Checks whether the database has users. Loads little, since every start waits for it; `seed.ts`, which fills an
 * empty database, loads the whole application.
 */
import { connect, sqlState } from '#platform/db/database.ts';
import { ConfigError } from './environment.ts';
import type { Config } from './config.ts';
import { noMailServer } from './mail-server.ts';

const UNDEFINED_TABLE = '42P01';

/**
 * Refuses a first start in production without an admin or a mail server. The database need not be migrated.
 * @throws {ConfigError}
 */
export async function requireForFirstStart(config: Config, databaseUrl: string): Promise<void> {
  const { appEnv, admin, mail } = config;
  if (appEnv !== 'production' || (admin.email !== null && mail.server !== null)) return;
  if (await hasUsers(databaseUrl)) return;
  throw new ConfigError(
    admin.email === null
      ? [
          'ADMIN_EMAIL is not set; it names the first admin of a new desk. Set it and start again. Without ADMIN_PASSWORD a password is made and shown once.',
        ]
      : [noMailServer],
  );
}

/** False also for a database that was never migrated. */
export async function hasUsers(databaseUrl: string): Promise<boolean> {
  const sql = connect(databaseUrl, 1);
  try {
    const [row] = await sql<{ found: boolean }[]>`select exists (select from users) as found`;
    return row?.found === true;
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return false;
    throw error;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
