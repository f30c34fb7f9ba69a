import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { sql as query } from 'kysely';
import { pino } from 'pino';
import { openTestDatabase } from '#test/database.ts';
import { connect, openDatabase, transaction, type Db, type Sql } from '#platform/db/database.ts';
import { openNotices, type Notices } from './notices.ts';
import { openPublished, type Published } from './published.ts';

const log = pino({ level: 'silent' });

interface Process {
  readonly sql: Sql;
  readonly db: Db;
  readonly notices: Notices;
  readonly published: Published;
}

const first = await openTestDatabase({ after });
const one = processOn(first.sql, first.db);
const otherSql = connect(first.url);
const other = processOn(otherSql, openDatabase(otherSql));
after(() => otherSql.end());
await one.sql`create table words (word text not null)`;
await one.sql`insert into words values ('first')`;

function processOn(sql: Sql, db: Db): Process {
  const notices = openNotices(sql, log);
  return { sql, db, notices, published: openPublished(notices) };
}

async function currentWord({ sql }: Process): Promise<string> {
  const [row] = await sql<{ word: string }[]>`select word from words`;
  return row?.word ?? '';
}

async function write({ db, published }: Process, word: string): Promise<void> {
  await transaction(db, async (tx) => {
    await query`update words set word = ${word}`.execute(tx);
    await published.changed(tx, 'word');
  });
}

async function until(what: () => Promise<boolean>, patienceMs = 20_000): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await what())) {
    assert.ok(Date.now() < end, 'It did not happen in time.');
    await sleep(5);
  }
}

describe('a cached value', () => {
  it('is built once for concurrent callers, and cached', async () => {
    let builds = 0;
    const build = async () => {
      builds += 1;
      await sleep(20);
      return builds;
    };
    const values = await Promise.all(
      Array.from({ length: 10 }, () => one.published.cached('together', build)),
    );
    assert.deepEqual(values, Array(10).fill(1));
    assert.equal(await one.published.cached('together', build), 1);
  });

  it('is read again by the writer at once, and by another process within a second', async () => {
    const readIn = (process: Process) =>
      process.published.cached('word', () => currentWord(process));
    assert.equal(await readIn(one), 'first');
    assert.equal(await readIn(other), 'first');
    for (const word of ['second', 'third', 'fourth']) {
      await write(other, word);
      assert.equal(await readIn(other), word);
      await until(async () => (await readIn(one)) === word);
    }
  });

  it('is built again after a change of any of its names, in any process', async () => {
    let builds = 0;
    const follows = ['bread', 'butter'];
    const sandwich = () => one.published.cached('sandwich', async () => (builds += 1), { follows });
    assert.equal(await sandwich(), 1);
    for (const name of follows) {
      await transaction(other.db, (tx) => other.published.changed(tx, name));
      const before = builds;
      await until(async () => (await sandwich()) === before + 1);
    }
    await transaction(one.db, (tx) => one.published.changed(tx, 'butter'));
    assert.equal(await sandwich(), 4);
  });

  it('is not a value whose build started before the change', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const before = await currentWord(one);
    const slow = one.published.cached('slow', async () => {
      const word = await currentWord(one);
      await held;
      return word;
    });
    await transaction(other.db, (tx) => other.published.changed(tx, 'slow'));
    await sleep(100);
    release();
    assert.equal(await slow, before);
    assert.equal(await one.published.cached('slow', async () => 'anew'), 'anew');
  });

  it('stays cached after a change that was rolled back', async () => {
    await one.published.cached('rolled', async () => 'cached');
    await assert.rejects(
      transaction(one.db, async (tx) => {
        await one.published.changed(tx, 'rolled');
        throw new Error('no');
      }),
    );
    await until(
      async () => (await one.published.cached('rolled', async () => 'built')) === 'cached',
      4000,
    );
  });

  it('stays cached while it is used, among many others', async () => {
    let builds = 0;
    const build = async () => (builds += 1);
    for (let typed = 0; typed < 3000; typed += 1) {
      if (typed % 500 === 0) await one.published.cached('settings', build);
      await one.published.cached(`tag ${typed}`, async () => typed);
    }
    assert.equal(await one.published.cached('settings', build), 1);
    const first = one.published.cached('tag 0', async () => 'built again');
    assert.equal(await first, 'built again');
  });

  it('is not cached when building it fails', async () => {
    await assert.rejects(
      one.published.cached('failing', () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await one.published.cached('failing', async () => 'fine'), 'fine');
  });

  it('is built again when it has expired', async () => {
    let builds = 0;
    const build = async () => (builds += 1);
    await one.published.cached('ageing', build, { maxAgeSeconds: 0.05 });
    await sleep(80);
    assert.equal(await one.published.cached('ageing', build, { maxAgeSeconds: 0.05 }), 2);
  });

  it('is dropped when the listening connection was lost', async () => {
    let builds = 0;
    const build = async () => (builds += 1);
    await one.published.cached('lost', build);
    await one.sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`;
    await until(async () => (await one.published.cached('lost', build)) > 1, 5000);
    await write(other, 'after the loss');
    await until(
      async () => (await one.published.cached('word', () => currentWord(one))) === 'after the loss',
    );
  });
});

describe('a published answer', () => {
  const app = Fastify();
  app.get(
    '/word',
    {
      schema: {
        response: { 200: { type: 'object', properties: { word: { type: 'string' } } } },
      },
    },
    (_request, reply) =>
      one.published.send(reply, 'word', async () => ({
        word: await currentWord(one),
        secret: 'never',
      })),
  );
  after(() => app.close());

  it('is JSON with an ETag, briefly cacheable, with only the fields of the schema', async () => {
    const answer = await app.inject('/word');
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.match(String(answer.headers['cache-control']), /^public, max-age=5\b/);
    assert.match(String(answer.headers['etag']), /^"[\w-]{27}"$/);
    assert.deepEqual(answer.json(), { word: await currentWord(one) });
    assert.ok(!answer.body.includes('never'));
  });

  it('is 304 if the caller has it, and 200 with another ETag after a change in another process', async () => {
    const before = await app.inject('/word');
    const headers = { 'if-none-match': String(before.headers['etag']) };
    const same = await app.inject({ url: '/word', headers });
    assert.equal(same.statusCode, 304);
    assert.equal(same.body, '');
    await write(other, 'for the answer');
    await until(async () => (await app.inject({ url: '/word', headers })).statusCode === 200);
    assert.deepEqual((await app.inject('/word')).json(), { word: 'for the answer' });
  });
});

describe('notices', () => {
  it('are received by every process after the commit, and never after a rollback', async () => {
    const received: string[] = [];
    const stops = await Promise.all(
      [one, other].map(({ notices }, at) =>
        notices.listen('test', ({ word }) => received.push(`${at} ${String(word)}`)),
      ),
    );
    await assert.rejects(
      transaction(one.db, async (tx) => {
        await one.notices.notify(tx, 'test', { word: 'never' });
        throw new Error('no');
      }),
    );
    await transaction(one.db, (tx) => one.notices.notify(tx, 'test', { word: 'it’s "so"' }));
    await until(async () => received.length >= 2);
    assert.deepEqual(received.toSorted(), ['0 it’s "so"', '1 it’s "so"']);
    for (const stop of stops) stop();
    await sleep(50);
    await transaction(one.db, (tx) => one.notices.notify(tx, 'test', { word: 'late' }));
    await sleep(50);
    assert.equal(received.length, 2);
  });

  it('reach the other listeners when one fails', async () => {
    const received: unknown[] = [];
    await one.notices.listen('fragile', () => {
      throw new Error('a defect');
    });
    await one.notices.listen('fragile', (payload) => void received.push(payload));
    await transaction(one.db, (tx) => one.notices.notify(tx, 'fragile', {}));
    await until(async () => received.length === 1);
  });
});
