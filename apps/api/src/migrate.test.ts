import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import postgres from 'postgres';
import { connectionOptions, withDatabase } from '#platform/database-url.ts';
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
    file('0002_second.sql', 'insert into t values (2)');
    file('0001_first.sql', 'create table t (n int); insert into t values (1);');
    assert.equal(await run(), 2);
    assert.equal(await run(), 0);
    file('0003_third.sql', 'insert into t values (3)');
    assert.equal(await run(), 1);
    assert.deepEqual(
      [...(await query(url, 'select n from t order by n'))],
      [{ n: 1 }, { n: 2 }, { n: 3 }],
    );
  });

  it('migrates once when two start together', async () => {
    file(
      '0001_slow.sql',
      'create table t (n int); select pg_sleep(0.3); insert into t values (1);',
    );
    const applied = await Promise.all([run(), run(), run()]);
    assert.deepEqual(applied.toSorted(), [0, 0, 1]);
    assert.equal((await query(url, 'select n from t')).length, 1);
  });

  it('applies nothing of a file that fails, and says where it failed', async () => {
    file('0001_first.sql', 'create table t (n int);');
    file('0002_broken.sql', 'insert into t values (1);\n\ninsert into nowhere values (1);\n');
    await refuses(
      /^The migration 0002_broken\.sql failed at line 3: relation "nowhere" does not exist/,
    );
    assert.deepEqual([...(await query(url, 'select n from t'))], []);
    file('0002_broken.sql', 'insert into t values (1);');
    assert.equal(await run(), 1);
  });

  it('refuses a file that was changed after it was applied, but not new line ends', async () => {
    file('0001_first.sql', 'create table t (\n n int);\n');
    await run();
    file('0001_first.sql', 'create table t (\r\n n int);\r\n');
    assert.equal(await run(), 0);
    file('0001_first.sql', 'create table t (n bigint);');
    await refuses(/0001_first\.sql was changed after it was applied/);
  });

  it('refuses a database that is ahead of the files, and a file that comes too late', async () => {
    file('0001_first.sql', 'select 1');
    file('0003_third.sql', 'select 1');
    await run();
    file('0002_late.sql', 'select 1');
    await refuses(/0002_late\.sql comes before 0003_third\.sql/);
    rmSync(join(directory, '0002_late.sql'));
    rmSync(join(directory, '0003_third.sql'));
    await refuses(/has the migration 0003_third\.sql, which this version .* does not know/);
  });

  it('refuses names without a number, and two with the same', async () => {
    file('first.sql', 'select 1');
    await refuses(/first\.sql must be named like 0001/);
    rmSync(join(directory, 'first.sql'));
    file('0001_a.sql', 'select 1');
    file('0001_b.sql', 'select 1');
    await refuses(/Two migrations have the number 0001/);
  });

  it('waits for a lock that somebody holds for a moment', async () => {
    file('0001_first.sql', 'create table t (n int);');
    await run();
    const sql = postgres({ ...connectionOptions(url), max: 1 });
    const holding = sql.begin(async (tx) => {
      await tx`lock table t in access exclusive mode`;
      await tx`select pg_sleep(4)`;
    });
    file('0002_second.sql', 'alter table t add column m int;');
    assert.equal(await run(), 1);
    await holding;
    await sql.end();
  });
});
