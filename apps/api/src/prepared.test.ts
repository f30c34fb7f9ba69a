import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openTestConnection, testDatabase } from '#test/database.ts';
import { isPrepared, markPrepared } from './prepared.ts';

it('a database is prepared for the build that has marked it last, once it has users', async (t) => {
  const url = await testDatabase(t);
  const sql = openTestConnection(t, url);
  await markPrepared('one', { url, ownerUrl: url });
  assert.equal(await isPrepared('one', url), false);
  await sql`insert into users (id, name, email, password_hash)
    values (gen_random_uuid(), 'Ana', 'ana@desk.example', 'none')`;
  assert.equal(await isPrepared('one', url), true);
  await markPrepared('two', { url, ownerUrl: url });
  assert.equal(await isPrepared('one', url), false);
  await sql`drop table schema_migrations`;
  assert.equal(await isPrepared('two', url), false);
});
