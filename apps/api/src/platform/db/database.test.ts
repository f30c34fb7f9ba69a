import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '#test/database.ts';
import {
  connect,
  openDatabase,
  snapshot,
  transaction,
  transactionWithLast,
  type Db,
  type Tx,
} from './database.ts';

const { db } = await openTestDatabase({ after }, 2);
await sql`create table written (word text not null)`.execute(db);

async function words(of: Db | Tx): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`select word from written`.execute(of);
  return rows.map(({ word }) => word);
}

it('a snapshot does not see what is committed meanwhile', async () => {
  await snapshot(db, async (tx) => {
    assert.deepEqual(await words(tx), []);
    await sql`insert into written values ('later')`.execute(db);
    assert.deepEqual(await words(tx), []);
  });
  assert.deepEqual(await words(db), ['later']);
});

it('a snapshot writes nothing', async () => {
  const write = snapshot(db, (tx) => sql`insert into written values ('never')`.execute(tx));
  await assert.rejects(write, /read-only transaction/);
});

it('a transaction is retried after a serialization failure, without effects of the failed attempt', async () => {
  await sql`delete from written`.execute(db);
  let tries = 0;
  await transaction(db, async (tx) => {
    await sql`insert into written values ('tried')`.execute(tx);
    if (++tries === 1) await sql`do $$ begin raise sqlstate '40001'; end $$`.execute(tx);
  });
  assert.equal(tries, 2);
  assert.deepEqual(await words(db), ['tried']);
});

it('a transaction commits nothing when its last statement fails, and that statement nothing when the commit does', async () => {
  await sql`create table paired (
    word text unique deferrable initially deferred, other text unique)`.execute(db);
  const insert = (tx: Tx, word: string, other: string) =>
    sql`insert into paired values (${word}, ${other})`.execute(tx);
  const pair = (first: [string, string], last: [string, string]) =>
    transactionWithLast(
      db,
      (tx) => insert(tx, ...first),
      (tx) => insert(tx, ...last),
    );
  await pair(['a', 'a'], ['b', 'b']);
  await assert.rejects(pair(['c', 'c'], ['d', 'a']), { constraint_name: 'paired_other_key' });
  await assert.rejects(pair(['e', 'e'], ['a', 'f']), { constraint_name: 'paired_word_key' });
  const { rows } = await sql<{ word: string }>`select word from paired`.execute(db);
  assert.deepEqual(rows, [{ word: 'a' }, { word: 'b' }]);
});

it('arrays keep their elements, whatever is in them', async () => {
  const words = ['', 'a,b', '{"c"}', String.raw`\\\"`, 'NULL', null];
  const at = new Date('2026-01-02T03:04:05.678Z');
  const { rows } = await sql`
    select ${words}::text[] as words, ${[]}::uuid[] as none, ${[at.toISOString()]}::timestamptz[] as times,
      ${['12345678901234567890', '1.50']}::numeric[] as amounts, array[true, false] as flags,
      array[1, 2] as counts`.execute(db);
  assert.deepEqual(rows, [
    {
      words,
      none: [],
      times: [at],
      amounts: [12345678901234567890n, '1.50'],
      flags: [true, false],
      counts: [1, 2],
    },
  ]);
});

it('fails a statement with what made the server refuse it, so that the transaction is tried again', async () => {
  let attempts = 0;
  await transaction(db, async (tx) => {
    attempts += 1;
    if (attempts > 1) return;
    const fail = sql`do $$ begin raise exception 'a conflict' using errcode = '40001'; end $$`;
    const [, behind] = await Promise.allSettled([fail.execute(tx), sql`select 1`.execute(tx)]);
    if (behind.status === 'rejected') throw behind.reason;
  });
  assert.equal(attempts, 2);
});

it('fails all that a transaction has sent where the server cannot be reached', async () => {
  const away = connect('postgres://nobody@127.0.0.1:1/nothing');
  let sent: Promise<PromiseSettledResult<unknown>[]> | undefined;
  const asking = transaction(openDatabase(away), (tx) => {
    sent = Promise.allSettled([sql`select 1`.execute(tx), sql`select 2`.execute(tx)]);
    return sent;
  });
  await assert.rejects(asking, { code: 'ECONNREFUSED' });
  assert.deepEqual(
    (await sent)?.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  await away.end();
});
