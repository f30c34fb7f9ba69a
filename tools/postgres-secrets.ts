/**
 * The passwords of the embedded cluster and the account it runs under, in
 * `DATA_DIR/database.json`, which only its owner may read.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import type { Account } from './postgres-account.ts';
import { writePrivately } from './private-file.ts';

export interface Secrets {
  account: Account;
  /** Of `postgres`, which the application never uses. */
  superuserPassword: string;
  /** Of `cambist`, the application's role. */
  password: string;
}

/** Null before the first start. */
export function readSecrets(dataDir: string): Secrets | null {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'database.json'), 'utf8')) as Secrets;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Makes new passwords and keeps them before the cluster that will need them exists. */
export function writeSecrets(dataDir: string, account: Account): Secrets {
  const password = () => randomBytes(24).toString('base64url');
  const secrets = { account, superuserPassword: password(), password: password() };
  writePrivately(join(dataDir, 'database.json'), `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}

/**
 * The application's role and its database. The role is no superuser: it must not
 * be able to switch off the constraints that keep the ledger true.
 */
export async function ensureDatabase(
  superuser: postgres.Options<Record<string, never>>,
  password: string,
): Promise<void> {
  const sql = postgres({ ...superuser, max: 1, onnotice: () => {} });
  try {
    const [found] = await sql<{ role: boolean; database: boolean }[]>`
      select exists (select from pg_roles where rolname = 'cambist') as role,
             exists (select from pg_database where datname = 'cambist') as database`;
    if (found?.role !== true) {
      // Utility statements take no parameters; the password is Base64url by construction.
      await sql.unsafe(`create role cambist login password '${password}'`);
    }
    if (found?.database !== true) await sql`create database cambist owner cambist`;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
