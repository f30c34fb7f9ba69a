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
  /** Of `cambist_owner`, who owns the tables and migrates them. */
  ownerPassword: string;
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

/**
 * Makes new passwords and writes them before the cluster that will need them exists. Those that
 * are `known` stay.
 */
export function writeSecrets(
  dataDir: string,
  account: Account,
  known: Partial<Secrets> = {},
): Secrets {
  const password = () => randomBytes(24).toString('base64url');
  const secrets = {
    superuserPassword: password(),
    ownerPassword: password(),
    password: password(),
    ...known,
    account,
  };
  writePrivately(join(dataDir, 'database.json'), `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}

type Superuser = postgres.Options<Record<string, never>>;

/**
 * The two roles and the database. The application's role is no superuser and owns nothing, so it
 * cannot switch off the triggers and constraints that keep the ledger true.
 */
export async function ensureDatabase(
  superuser: Superuser,
  { ownerPassword, password }: Secrets,
): Promise<void> {
  const owner = await withSuperuser(superuser, async (sql) => {
    const roles = await sql<{ rolname: string }[]>`select rolname from pg_roles`;
    for (const [role, secret] of [
      ['cambist_owner', ownerPassword],
      ['cambist', password],
    ]) {
      if (roles.some(({ rolname }) => rolname === role)) continue;
      // Utility statements take no parameters; the password is Base64url by construction.
      await sql.unsafe(`create role ${role} login password '${secret}'`);
    }
    const [database] = await sql<{ owner: string }[]>`
      select datdba::regrole::text as owner from pg_database where datname = 'cambist'`;
    if (database !== undefined) return database.owner;
    await sql`create database cambist owner cambist_owner`;
    return 'cambist_owner';
  });
  if (owner === 'cambist_owner') return;
  // Made by a version whose application owned everything.
  await withSuperuser({ ...superuser, database: 'cambist' }, (sql) =>
    sql.unsafe('reassign owned by cambist to cambist_owner'),
  );
}

async function withSuperuser<T>(
  superuser: Superuser,
  work: (sql: postgres.Sql) => Promise<T>,
): Promise<T> {
  const sql = postgres({ ...superuser, max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
