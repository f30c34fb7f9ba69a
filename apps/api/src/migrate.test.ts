import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import postgres from 'postgres';
import { connectionOptions, withDatabase } from '#platform/db/database-url.ts';
import { testDatabase } from '#test/database.ts';
import { migrate, MigrationError } from './migrate.ts';

let server: string;
let url: string;
let directory: string;
const cleaning: (() => unknown)[] = [];

before(async () => {
  server = await testDatabase({ after: (work) => cleaning.push(work) });
});
after(async () => {
  for (const work of cleaning.toReversed()) await work();
});

beforeEach(async () => {
  const name = `cambist_migrate_${randomUUID().replaceAll('-', '')}`;
  await query(server, `create database ${name}`);
  url = withDatabase(server, name);
  directory = mkdtempSync(join(tmpdir(), 'cambist-migrations-'));
});
afterEach(async () => {
  rmSync(directory, { recursive: true });
  await query(server, `drop database ${new URL(url).pathname.slice(1)} with (force)`);
});

async function query(databaseUrl: string, text: string): Promise<postgres.Row[]> {
  const sql = postgres({ ...connectionOptions(databaseUrl), max: 1, onnotice: () => {} });
  try {
    return await sql.unsafe(text);
  } finally {
    await sql.end();
  }
}

function file(name: string, text: string): void {
  writeFileSync(join(directory, name), text);
}

function refuses(pattern: RegExp): Promise<void> {
  return assert.rejects(
    migrate(url, { directory }),
    (error) => error instanceof MigrationError && pattern.test(error.message),
  );
}

const run = () => migrate(url, { directory });

describe('migrate', () => {
  it('applies what is missing in order, and nothing twice', async () => {
    file('02_second.sql', 'insert into t values (2)');
    file('01_first.sql', 'create table t (n int); insert into t values (1);');
    assert.equal(await run(), 2);
    assert.equal(await run(), 0);
    file('03_third.sql', 'insert into t values (3)');
    assert.equal(await run(), 1);
    assert.deepEqual(
      [...(await query(url, 'select n from t order by n'))],
      [{ n: 1 }, { n: 2 }, { n: 3 }],
    );
  });

  it('migrates once when two start together', async () => {
    file('01_slow.sql', 'create table t (n int); select pg_sleep(0.3); insert into t values (1);');
    const applied = await Promise.all([run(), run(), run()]);
    assert.deepEqual(applied.toSorted(), [0, 0, 1]);
    assert.equal((await query(url, 'select n from t')).length, 1);
  });

  it('applies nothing of a file that fails, and says where it failed', async () => {
    file('01_first.sql', 'create table t (n int);');
    file('02_broken.sql', 'insert into t values (1);\n\ninsert into nowhere values (1);\n');
    await refuses(
      /^The migration 02_broken\.sql failed at line 3: relation "nowhere" does not exist/,
    );
    assert.deepEqual([...(await query(url, 'select n from t'))], []);
    file('02_broken.sql', 'insert into t values (1);');
    assert.equal(await run(), 1);
  });

  it('refuses a file that was changed after it was applied, but not new line ends', async () => {
    file('01_first.sql', 'create table t (\n n int);\n');
    await run();
    file('01_first.sql', 'create table t (\r\n n int);\r\n');
    assert.equal(await run(), 0);
    file('01_first.sql', 'create table t (n bigint);');
    await refuses(/01_first\.sql was changed after it was applied/);
  });

  it('refuses a database that is ahead of the files, and a file that comes too late', async () => {
    file('01_first.sql', 'select 1');
    file('03_third.sql', 'select 1');
    await run();
    file('02_late.sql', 'select 1');
    await refuses(/02_late\.sql comes before 03_third\.sql/);
    rmSync(join(directory, '02_late.sql'));
    rmSync(join(directory, '03_third.sql'));
    await refuses(/has the migration 03_third\.sql, which this version .* does not know/);
  });

  it('recreates a demo database of another history, says so, and leaves its own alone', async () => {
    const lines: string[] = [];
    const start = () =>
      migrate(url, { directory, demoFolder: '/data', log: (line) => lines.push(line) });
    const recreated =
      'The demo database in /data is of another version and has been recreated. What it held is in its schema former_public, until it is recreated again.';
    const rows = async () => (await query(url, 'select n from t')).map(({ n }) => n);
    file('01_first.sql', 'create table t (n int);');
    assert.equal(await start(), 1);
    await query(
      url,
      `insert into t values (7); insert into schema_migrations values ('0001_users.sql', '')`,
    );
    await refuses(/has the migration 0001_users\.sql/);
    assert.deepEqual(await rows(), [7]);
    assert.equal(await start(), 1);
    assert.deepEqual([await rows(), lines.splice(0)[1]], [[], recreated]);
    const former = await query(url, 'select n from former_public.t');
    assert.equal(former[0]?.['n'], 7);

    await query(url, 'insert into t values (8)');
    assert.equal(await start(), 0);
    assert.deepEqual([await rows(), lines], [[8], []]);
    file('01_first.sql', 'create table t (n bigint);');
    assert.equal(await start(), 1);
    assert.deepEqual([await rows(), lines[0]], [[], recreated]);
  });

  it('refuses names without a number, and two with the same', async () => {
    file('first.sql', 'select 1');
    await refuses(/first\.sql must be named like 11_what/);
    rmSync(join(directory, 'first.sql'));
    file('01_a.sql', 'select 1');
    file('01_b.sql', 'select 1');
    await refuses(/Two migrations have the number 01/);
  });

  it('waits for a lock that somebody holds for a moment', async () => {
    file('01_first.sql', 'create table t (n int);');
    await run();
    const sql = postgres({ ...connectionOptions(url), max: 1 });
    const holding = sql.begin(async (tx) => {
      await tx`lock table t in access exclusive mode`;
      await tx`select pg_sleep(4)`;
    });
    file('02_second.sql', 'alter table t add column m int;');
    assert.equal(await run(), 1);
    await holding;
    await sql.end();
  });
});
