/**
 * Migrates a database forward, one SQL file after the other, each in its own transaction, under an advisory lock.
 * If an applied file has changed or is gone, the database is refused untouched, except that a local demo database
 * is recreated.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { connectionOptions } from './platform/db/database-url.ts';
import { installJobs } from './platform/jobs/jobs.ts';

const MIGRATIONS = resolve(import.meta.dirname, '../migrations');
const OLDEST_SERVER = 150_000;
// Any constant that never changes.
const ADVISORY_LOCK = 0x63616d62;
// A migration that waits for a lock blocks everything behind it, so it gives up quickly and tries again.
const LOCK_TIMEOUT = '3s';
const LOCK_ATTEMPTS = 10;
const LOCK_NOT_AVAILABLE = '55P03';
const NOT_PERMITTED = '42501';

export class MigrationError extends Error {
  override name = 'MigrationError';
}

interface Migration {
  name: string;
  text: string;
  /** SHA-256 of the text with LF line ends, in hex. */
  checksum: string;
}

export interface MigrateOptions {
  readonly log?: ((line: string) => void) | undefined;
  readonly directory?: string;
  /** Is granted the right to read and write rows, if it is not the owner. */
  readonly applicationRole?: string | null | undefined;
  /** The folder of an embedded demo database, to be recreated if its history differs; null to refuse it. */
  readonly demoFolder?: string | null | undefined;
}

/**
 * Applies missing migrations as the role of this URL; returns how many.
 * @throws {MigrationError} when the history does not match or a file fails.
 */
export async function migrate(
  databaseUrl: string,
  {
    log = () => {},
    directory = MIGRATIONS,
    applicationRole = null,
    demoFolder = null,
  }: MigrateOptions = {},
): Promise<number> {
  const migrations = await readMigrations(directory);
  const sql = postgres({
    ...connectionOptions(databaseUrl),
    // One connection that is never replaced: it holds the advisory lock.
    max: 1,
    max_lifetime: null,
    onnotice: () => {},
  });
  try {
    await refuseOldServer(sql);
    await sql`select set_config('lock_timeout', '5min', false)`;
    await sql`select pg_advisory_lock(${ADVISORY_LOCK})`;
    let applied = await readHistory(sql);
    const mismatch = findMismatch(migrations, applied);
    if (mismatch !== null) {
      if (demoFolder === null) throw new MigrationError(mismatch);
      await setAside(sql);
      applied = await readHistory(sql);
      log(
        `The demo database in ${demoFolder} is of another version and has been recreated. What it held is in its schema former_public, until it is recreated again.`,
      );
    }
    const missing = migrations.filter(({ name }) => !applied.has(name));
    for (const migration of missing) {
      log(`migrating ${migration.name}`);
      await apply(sql, migration);
    }
    await installJobs(databaseUrl);
    if (applicationRole !== null) await grantRows(sql, applicationRole);
    return missing.length;
  } catch (error) {
    if (!(error instanceof postgres.PostgresError) || error.code !== NOT_PERMITTED) throw error;
    const role = connectionOptions(databaseUrl).username;
    throw new MigrationError(
      `The role ${role} may not change the tables of this database (${error.message}). Name the role that owns them in DATABASE_OWNER_URL; docs/operations/database.md has more.`,
      { cause: error },
    );
  } finally {
    // Closing the connection releases the lock.
    await sql.end({ timeout: 5 });
  }
}

/** Only for rows: without ownership the role can neither disable triggers nor truncate. */
async function grantRows(sql: postgres.Sql, role: string): Promise<void> {
  // A trigger on a temporary table could change balances around their guard.
  const [{ name = '' } = {}] = await sql<{ name: string }[]>`select current_database() as name`;
  await sql`revoke temporary on database ${sql(name)} from public`;
  for (const schema of ['public', 'jobs']) {
    const [where, whom] = [sql(schema), sql(role)];
    await sql`grant usage on schema ${where} to ${whom}`;
    await sql`grant select, insert, update, delete on all tables in schema ${where} to ${whom}`;
    await sql`grant usage, select on all sequences in schema ${where} to ${whom}`;
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted();
  const numbers = new Set<string>();
  const migrations: Migration[] = [];
  for (const name of names) {
    const number = /^(\d\d)_[a-z0-9_]+\.sql$/.exec(name)?.[1];
    if (number === undefined) {
      throw new MigrationError(`The migration ${name} must be named like 11_what_it_does.sql.`);
    }
    if (numbers.has(number)) throw new MigrationError(`Two migrations have the number ${number}.`);
    numbers.add(number);
    // A checkout may have CRLF line ends.
    const text = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n');
    migrations.push({ name, text, checksum: createHash('sha256').update(text).digest('hex') });
  }
  return migrations;
}

async function refuseOldServer(sql: postgres.Sql): Promise<void> {
  const [row] = await sql<{ number: number; version: string }[]>`
    select current_setting('server_version_num')::int as number,
           current_setting('server_version') as version`;
  if (row !== undefined && row.number < OLDEST_SERVER) {
    throw new MigrationError(
      `DATABASE_URL leads to PostgreSQL ${row.version}; Cambist needs 15 or newer.`,
    );
  }
}

/** File name → checksum of everything that was applied. */
async function readHistory(sql: postgres.Sql): Promise<Map<string, string>> {
  await sql`
    create table if not exists schema_migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`;
  const rows = await sql<{ name: string; checksum: string }[]>`
    select name, checksum from schema_migrations`;
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** Why the files do not match the database's history; null when they do. */
function findMismatch(
  migrations: readonly Migration[],
  applied: Map<string, string>,
): string | null {
  const present = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const [name, checksum] of applied) {
    const migration = present.get(name);
    if (migration === undefined) {
      return `The database has the migration ${name}, which this version of Cambist does not know: a version before 0.1.0 or a newer one made it. Start that version, or name an empty database; \`npm start\` recreates a local demo.`;
    }
    if (migration.checksum !== checksum) {
      return `The migration ${name} was changed after it was applied to this database. Restore the file and put the change into a new one, or name an empty database; \`npm start\` recreates a local demo.`;
    }
  }
  const newest = [...applied.keys()].toSorted().at(-1) ?? '';
  const late = migrations.find(({ name }) => name < newest && !applied.has(name));
  if (late === undefined) return null;
  return `The migration ${late.name} comes before ${newest}, which is already applied. Give it the next free number.`;
}

/** Needs no superuser and keeps roles and rights. */
/** What is there stays once, since a demo may have been worked with. */
async function setAside(sql: postgres.Sql): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`drop schema if exists former_public, former_jobs cascade`;
    await tx`alter schema public rename to former_public`;
    const [jobs] = await tx`select from pg_namespace where nspname = 'jobs'`;
    if (jobs) await tx`alter schema jobs rename to former_jobs`;
    await tx`create schema public`;
  });
}

async function apply(sql: postgres.Sql, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sql.begin(async (tx) => {
        await tx`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`;
        await tx.unsafe(migration.text).simple();
        await tx`insert into schema_migrations ${tx({ name: migration.name, checksum: migration.checksum })}`;
      });
      return;
    } catch (error) {
      if (!(error instanceof postgres.PostgresError)) throw error;
      if (error.code !== LOCK_NOT_AVAILABLE || attempt === LOCK_ATTEMPTS) {
        throw new MigrationError(describeFailure(migration, error), { cause: error });
      }
      await sleep(200 * attempt * (0.5 + Math.random()));
    }
  }
}

function describeFailure(migration: Migration, error: postgres.PostgresError): string {
  const position = Number.parseInt(error.position ?? '', 10);
  const line = migration.text.slice(0, position).split('\n').length;
  const where = position > 0 ? ` at line ${line}` : '';
  return `The migration ${migration.name} failed${where}: ${error.message}. Nothing of it was applied.`;
}
