/**
 * A database for each test file: a clone of a migrated template, which is created once for a set of migrations. On the
 * server of TEST_DATABASE_URL, whose role may create databases, or an embedded one.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { startPostgres } from '../../../tools/postgres/server.ts';
import { migrate } from '#app/migrate.ts';
import { connect, openDatabase, sqlState, type Db, type Sql } from '#platform/db/database.ts';
import { connectionOptions, withDatabase } from '#platform/db/database-url.ts';

/** A test's `t`, or `{ after }` of node:test at the top of a file. */
export interface Cleanup {
  after(work: () => unknown): void;
}

const MIGRATIONS = resolve(import.meta.dirname, '../migrations');
const MANIFEST = resolve(import.meta.dirname, '../package.json');
const TEMPLATE_LOCK = 0x74656d70;

/** The URL of a new, migrated and empty database, dropped afterwards. */
export async function testDatabase(cleanup: Cleanup): Promise<string> {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given ?? (await startServer(cleanup));
  const name = `cambist_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, async (sql) => {
    const template = await ensureTemplate(sql, server);
    await sql.unsafe(`create database ${name} template ${template} strategy file_copy`);
  });
  if (given !== undefined) {
    cleanup.after(() => onServer(given, (sql) => dropDatabase(sql, name)));
  }
  return withDatabase(server, name);
}

/** The same, opened; a pool of one detects queries outside their transaction. */
export async function openTestDatabase(
  cleanup: Cleanup,
  poolSize?: number,
): Promise<{ url: string; sql: Sql; db: Db }> {
  const closing: (() => unknown)[] = [];
  const url = await testDatabase({ after: (work) => closing.unshift(work) });
  const sql = connect(url, poolSize);
  cleanup.after(async () => {
    await sql.end({ timeout: 5 });
    for (const work of closing) await work();
  });
  return { url, sql, db: openDatabase(sql) };
}

/** A separate connection to the database of a test. */
export function openTestConnection(cleanup: Cleanup, url: string): Sql {
  const sql = connect(url, 1);
  cleanup.after(() => sql.end({ timeout: 5 }));
  return sql;
}

async function startServer(cleanup: Cleanup): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cambist-test-'));
  const server = await startPostgres({ dataDir, fsync: false });
  cleanup.after(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return server.adminUrl;
}

const NOT_PERMITTED = '42501';
const DROP_ATTEMPTS = 50;
const DROP_WAIT_MS = 200;

/** An autovacuum may be running in it, which an ordinary role cannot stop; it soon ends. */
async function dropDatabase(sql: postgres.Sql, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sql.unsafe(`drop database if exists ${name} with (force)`);
      return;
    } catch (error) {
      if (attempt === DROP_ATTEMPTS || sqlState(error) !== NOT_PERMITTED) throw error;
      await sleep(DROP_WAIT_MS);
    }
  }
}

async function onServer<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres({ ...connectionOptions(url), max: 1, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Named by the hash of the migrations. */
async function ensureTemplate(sql: postgres.Sql, server: string): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(MANIFEST));
  for (const file of readdirSync(MIGRATIONS).toSorted()) {
    hash.update(file).update(readFileSync(join(MIGRATIONS, file)));
  }
  const template = `cambist_template_${hash.digest('hex').slice(0, 24)}`;
  // Test files start together; one makes the template and the others wait.
  await sql`select pg_advisory_lock(${TEMPLATE_LOCK})`;
  try {
    const [known] = await sql`select from pg_database where datname = ${template}`;
    if (known === undefined) {
      const draft = `${template}_draft`;
      await dropDatabase(sql, draft);
      await sql.unsafe(`create database ${draft}`);
      await migrate(withDatabase(server, draft));
      await sql.unsafe(`alter database ${draft} rename to ${template}`);
    }
  } finally {
    await sql`select pg_advisory_unlock(${TEMPLATE_LOCK})`;
  }
  return template;
}
