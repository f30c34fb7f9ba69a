import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { connectionOptions } from '../../apps/api/src/platform/db/database-url.ts';
import { migrateDatabase } from './database.ts';
import { embeddedUrls, startPostgres } from './server.ts';
import { PlainError } from '../plain-error.ts';

const isRoot = process.getuid?.() === 0;
const temporary = mkdtempSync(join(tmpdir(), 'cambist-postgres-test-'));
after(() => rmSync(temporary, { recursive: true, force: true }));

let folders = 0;
function newDataDir(): string {
  folders += 1;
  return join(temporary, `data-${folders}`);
}

async function query<T extends postgres.Row>(url: string, text: string): Promise<T[]> {
  const sql = postgres({ ...connectionOptions(url), max: 1, onnotice: () => {} });
  try {
    return await sql.unsafe<T[]>(text);
  } finally {
    await sql.end();
  }
}

function isPlain(pattern: RegExp) {
  return (error: unknown) => error instanceof PlainError && pattern.test(error.message);
}

describe('the embedded PostgreSQL', { timeout: 120_000 }, () => {
  it('runs as an ordinary role on its own database, with fsync, a built-in locale and no port', async () => {
    const dataDir = newDataDir();
    const server = await startPostgres({ dataDir });
    const [row] = await query(
      server.url,
      `select current_user as role, current_database() as database,
              current_setting('is_superuser') as superuser, current_setting('fsync') as fsync,
              current_setting('listen_addresses') as addresses,
              (select datlocprovider::text || datlocale from pg_database where datname = 'cambist') as locale`,
    );
    assert.deepEqual(
      { ...row },
      {
        role: 'cambist',
        database: 'cambist',
        superuser: 'off',
        fsync: 'on',
        addresses: '',
        locale: 'bC.UTF-8',
      },
    );
    assert.equal(statSync(join(dataDir, 'database.json')).mode & 0o777, 0o600);
    assert.equal(statSync(join(dataDir, 'run')).mode & 0o777, 0o700);
    assert.deepEqual(embeddedUrls(dataDir), { url: server.url, ownerUrl: server.ownerUrl });
    await assert.rejects(
      query(server.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1'),
      /password authentication failed/,
    );
    await Promise.all([server.stop(), server.stop()]);
    await assert.rejects(query(server.url, 'select 1'));
  });

  it('lets the application’s role read and write rows, and change no rule', async () => {
    const server = await startPostgres({ dataDir: newDataDir(), fsync: false });
    await migrateDatabase(server);
    await query(server.url, `insert into settings (slug, value) values ('general', '{}')`);
    assert.equal((await query(server.url, 'select slug from settings')).length, 1);
    for (const attempt of [
      'alter table exchanges disable trigger all',
      'set session_replication_role = replica',
      'drop trigger ledger_entries_append_only on ledger_entries',
      `create or replace function refuse_change() returns trigger language plpgsql as 'begin return new; end'`,
      'alter table ledger_accounts drop constraint ledger_accounts_covered',
      'truncate reconciliations',
      'drop table ledger_entries',
      'create table more (n int)',
      'create temporary table more (n int)',
      'set role cambist_owner',
      `alter role cambist_owner password 'mine'`,
    ]) {
      await assert.rejects(
        query(server.url, attempt),
        /must be owner|permission denied/,
        `${attempt} was not refused`,
      );
    }
    await server.stop();
  });

  it('keeps the data between starts and refuses a second start meanwhile', async () => {
    const dataDir = newDataDir();
    const first = await startPostgres({ dataDir });
    await query(first.ownerUrl, 'create table numbers as select 42 as number');
    await assert.rejects(
      startPostgres({ dataDir }),
      isPlain(
        /^Cambist is already running with the data in .*data-\d+: its database \(process \d+\)\./,
      ),
    );
    await first.stop();
    const second = await startPostgres({ dataDir });
    assert.deepEqual(
      [...(await query(second.ownerUrl, 'select number from numbers'))],
      [{ number: 42 }],
    );
    await second.stop();
  });

  it('works where the path is too long for a socket', async () => {
    const dataDir = join(newDataDir(), 'x'.repeat(100));
    const server = await startPostgres({ dataDir, fsync: false });
    const directory = new URL(server.url).searchParams.get('host') ?? '';
    assert.ok(directory.startsWith(join(tmpdir(), 'cambist-')));
    assert.equal(statSync(directory).mode & 0o777, 0o700);
    await query(server.url, 'select 1');
    await server.stop();
    rmSync(directory, { recursive: true });
  });

  it('says plainly when the folder cannot be written or is a file', async () => {
    const file = newDataDir();
    writeFileSync(file, '');
    await assert.rejects(startPostgres({ dataDir: file }), isPlain(/is not a folder/));
    if (isRoot) return;
    const closed = newDataDir();
    mkdirSync(closed);
    chmodSync(closed, 0o500);
    await assert.rejects(
      startPostgres({ dataDir: join(closed, 'data') }),
      isPlain(/may not write to/),
    );
  });

  it(
    'says plainly when the disk is full',
    { skip: !isRoot && 'needs root, to mount a small file system' },
    async (context) => {
      const dataDir = newDataDir();
      mkdirSync(dataDir);
      const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', dataDir]);
      if (mounted.status !== 0) return context.skip('mounting is not allowed here');
      try {
        await assert.rejects(
          startPostgres({ dataDir }),
          isPlain(/^The disk that holds .* is full/),
        );
      } finally {
        spawnSync('umount', [dataDir]);
      }
    },
  );

  it('takes no other version’s cluster and no cluster without its passwords', async () => {
    const dataDir = newDataDir();
    await (await startPostgres({ dataDir, fsync: false })).stop();
    const version = join(dataDir, 'postgres/PG_VERSION');
    writeFileSync(version, '17\n');
    await assert.rejects(startPostgres({ dataDir }), isPlain(/was made by PostgreSQL 17/));
    writeFileSync(version, '18\n');
    rmSync(join(dataDir, 'database.json'));
    await assert.rejects(startPostgres({ dataDir }), isPlain(/database\.json is missing/));
  });

  it(
    'runs for root in a folder that only root may enter, and on a cluster of root’s',
    { skip: !isRoot && 'needs root' },
    async () => {
      const closed = newDataDir();
      mkdirSync(closed, { mode: 0o700 });
      const dataDir = join(closed, 'data');
      for (const round of [1, 2]) {
        const server = await startPostgres({ dataDir, fsync: false });
        const rows = await query(
          server.ownerUrl,
          `create table if not exists t (n int); insert into t values (${round}); select n from t`,
        );
        assert.equal(rows.flat().length, round);
        await server.stop();
        // As a copy of a backup may leave it.
        spawnSync('chown', ['-R', 'root:root', join(dataDir, 'postgres')]);
      }
    },
  );
});

describe('after a kill -9', { timeout: 180_000 }, () => {
  const dataDir = join(temporary, 'crashed');
  const cluster = join(dataDir, 'postgres');
  const acknowledged = new Set<number>();

  /** Lets the victim write for a moment; answers its process and the server's id. */
  async function writing() {
    const script = resolve(import.meta.dirname, 'server.victim.ts');
    const victim = spawn(process.execPath, [script, dataDir, cluster], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let buffer = '';
    let serverId = 0;
    victim.stdout.on('data', (chunk: Buffer) => {
      buffer += chunk.toString();
      const lines = buffer.split('\n');
      buffer = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('server ')) serverId = Number.parseInt(line.slice(7), 10);
        else acknowledged.add(Number.parseInt(line, 10));
      }
    });
    const before = acknowledged.size;
    while (acknowledged.size < before + 200) await sleep(10);
    return { victim, serverId };
  }

  async function assertNothingLost(): Promise<void> {
    const server = await startPostgres({ dataDir });
    const rows = await query<{ number: number }>(
      server.ownerUrl,
      'select number from acknowledged',
    );
    const stored = new Set(rows.map(({ number }) => number));
    assert.deepEqual(
      [...acknowledged].filter((number) => !stored.has(number)),
      [],
    );
    await server.stop();
  }

  it('of everything, the next start has every acknowledged commit', async () => {
    const { victim, serverId } = await writing();
    process.kill(serverId, 'SIGKILL');
    victim.kill('SIGKILL');
    await once(victim, 'close');
    await assertNothingLost();
  });

  it('of the parent alone, the server ends by itself or is stopped by the next start', async () => {
    const { victim, serverId } = await writing();
    victim.kill('SIGKILL');
    await once(victim, 'close');
    await assertNothingLost();
    assert.equal(existsSync(`/proc/${serverId}/exe`), false);
  });

  it('of the server alone, its supervisor hears of it', async () => {
    const server = await startPostgres({ dataDir });
    const pid = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10);
    process.kill(pid, 'SIGKILL');
    await server.ended;
    await server.stop();
    await assertNothingLost();
  });

  it('a pid file whose id somebody else has now does not stop the next start', async () => {
    const lines = `${process.pid}\n${cluster}\n0\n5432\n\n\n0 0\nready   \n`;
    writeFileSync(join(cluster, 'postmaster.pid'), lines, { mode: 0o600 });
    await assertNothingLost();
  });
});
