import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '#test/database.ts';
import { afterRollback, snapshot, transaction, type Db, type Tx } from './database.ts';

const { db } = await openTestDatabase({ after }, 2);
await sql`create table told (word text not null)`.execute(db);

async function words(of: Db | Tx): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`select word from told`.execute(of);
  return rows.map(({ word }) => word);
}

it('a snapshot sees one moment, whatever is committed meanwhile', async () => {
  await snapshot(db, async (tx) => {
    assert.deepEqual(await words(tx), []);
    await sql`insert into told values ('later')`.execute(db);
    assert.deepEqual(await words(tx), []);
  });
  assert.deepEqual(await words(db), ['later']);
});

it('a snapshot writes nothing', async () => {
  const write = snapshot(db, (tx) => sql`insert into told values ('never')`.execute(tx));
  await assert.rejects(write, /read-only transaction/);
});

it('a transaction that fails leaves what was asked to be noted of it, and its own error', async () => {
  await sql`delete from told`.execute(db);
  const tell = (word: string) => (of: Db | Tx) =>
    sql`insert into told values (${word})`.execute(of);
  const failing = transaction(db, async (tx) => {
    await tell('in it')(tx);
    afterRollback(tx, tell('after it'));
    throw new Error('refused');
  });
  await assert.rejects(failing, /refused/);
  assert.deepEqual(await words(db), ['after it']);
  const twice = transaction(db, async (tx) => {
    afterRollback(tx, () => sql`insert into nowhere values (1)`.execute(db));
    throw new Error('refused again');
  });
  await assert.rejects(twice, /refused again/);
});

it('a transaction that is tried again or succeeds notes nothing of its failures', async () => {
  await sql`delete from told`.execute(db);
  let tries = 0;
  await transaction(db, async (tx) => {
    afterRollback(tx, (of) => sql`insert into told values ('failed')`.execute(of));
    if (++tries === 1) await sql`do $$ begin raise sqlstate '40001'; end $$`.execute(tx);
  });
  assert.equal(tries, 2);
  assert.deepEqual(await words(db), []);
});
