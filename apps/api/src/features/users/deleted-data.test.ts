/** What is left of a name and an address once their account is deleted: nothing that the page does not name. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { PASSWORD } from '#test/client.ts';
import { openDesk } from '#test/factories/exchange.ts';
import { startTestApi, type TestApi } from '#test/harness.ts';
import { refusal, startSmtp, until } from '#test/fakes/smtp.ts';
import { email } from '../email/routes.ts';

/** Rows of all tables that hold the word, by table. */
async function rowsWith(api: TestApi, word: string): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema in ('public', 'jobs') and table_type = 'BASE TABLE'`.execute(api.db);
  const found: Record<string, number> = {};
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count
      from ${sql.table(`${schema}.${name}`)} t
      where to_jsonb(t)::text ilike ${`%${word}%`}`.execute(api.db);
    const count = rows[0]?.count ?? 0;
    if (count > 0) found[name] = count;
  }
  return found;
}

const waiting = async (api: TestApi) =>
  (await api.db.selectFrom('emails').select('id').where('state', '=', 'waiting').execute()).length;

/** Somebody whose name and address are the word, and who has used all that takes either. */
async function busyPerson(api: TestApi, word: string, verified = true) {
  const email = `${word}.person@example.com`;
  const typed = email.toUpperCase();
  const name = `${word} Person`;
  const write = async () => {
    const message = { name, email: typed, message: `Best wishes, ${word}` };
    const { body } = await api.client().post('/api/contact-submissions', message);
    return body.data.reference as string;
  };
  const closed = await write();
  const open = await write();
  await api.client().post('/api/subscribers', { email: typed });
  await openDesk((await api.asAdmin()).client);
  const wish = { pair: 'usd-to-eur', amount: '2000000', email: typed };
  assert.equal((await api.client().post('/api/public/reserve-alerts', wish)).status, 202);
  const { client, user } = await api.asMember({ email, name, verified });
  if (verified) {
    const body = { email: `${word}.other@example.com`, current_password: PASSWORD };
    assert.equal((await client.put('/api/user/email', body)).status, 202);
  }
  await api.client().post('/api/auth/forgot-password', { email });
  await api.client().post('/api/auth/signin', { email, password: 'wrong wrong wrong' });
  return { client, user, email, closed, open };
}

async function messageOf(api: TestApi, reference: string) {
  const { client: admin } = await api.asAdmin();
  const { body } = await admin.get('/api/admin/contact-submissions?per_page=100');
  const note = body.data.find((each: { reference: string }) => each.reference === reference);
  const path = `/api/admin/contact-submissions/${note.id}`;
  const get = async () => (await admin.get(path)).body.data;
  const write = async (kind: string) =>
    admin.post(`${path}/entries`, {
      version: (await get()).version,
      kind,
      body: 'Dear zzcanary, it is done.',
    });
  const move = async (state: string) =>
    admin.patch(path, { version: (await get()).version, state });
  return { get, write, move };
}

describe('an account that is deleted', () => {
  it('leaves neither name nor address behind, but in a message that still waits', async (t) => {
    const smtp = await startSmtp(t);
    const api = await startTestApi(t, { jobs: true, env: { MAIL_URL: smtp.url } });
    const { client, email, closed, open } = await busyPerson(api, 'zzcanary');
    const done = await messageOf(api, closed);
    assert.equal((await done.write('reply')).status, 201);
    assert.equal((await done.move('closed')).status, 200);
    await until(async () => (await waiting(api)) === 0);
    assert.ok(Object.keys(await rowsWith(api, 'zzcanary')).length > 3);

    assert.equal((await client.leave()).status, 204);
    const farewell = await smtp.next(({ subject }) => subject === 'Your account was deleted');
    assert.deepEqual(farewell.recipients, [email]);
    await until(async () => (await waiting(api)) === 0);
    assert.deepEqual(await rowsWith(api, 'zzcanary'), { contact_submissions: 1 });
    assert.deepEqual((await done.get()).message, '');

    const rest = await messageOf(api, open);
    const { name, email: address, message } = await rest.get();
    assert.deepEqual([name, address], ['Deleted account', '']);
    assert.match(message, /zzcanary/);
    const reply = await rest.write('reply');
    assert.deepEqual([reply.status, reply.body.code], [409, 'sender_gone']);
    assert.equal((await rest.write('note')).status, 201);
    assert.equal((await rest.move('closed')).status, 200);
    assert.deepEqual(await rowsWith(api, 'zzcanary'), {});
    assert.deepEqual((await rest.get()).entries, []);

    const { status } = await api.client().post('/api/subscribers', { email });
    assert.equal(status, 202, 'whoever comes back is welcome');
  });

  it('takes nothing along that belongs to an address it never proved', async (t) => {
    const api = await startTestApi(t);
    const { client } = await busyPerson(api, 'zzother', false);
    assert.equal((await client.leave()).status, 204);
    const left = await rowsWith(api, 'zzother');
    assert.equal(left['contact_submissions'], 2);
    assert.equal(left['subscribers'], 1);
    assert.equal(left['users'], undefined);
  });

  it('whose last email cannot be sent is forgotten by it after a week', async (t) => {
    const smtp = await startSmtp(t, {
      accept: () => {
        throw refusal(554, 'No');
      },
    });
    const api = await startTestApi(t, { jobs: true, env: { MAIL_URL: smtp.url } });
    const word = `zz${randomUUID().slice(0, 8)}`;
    const { client } = await api.asMember({ email: `${word}@example.com`, name: word });
    assert.equal((await client.leave()).status, 204);
    await until(async () => (await waiting(api)) === 0);
    assert.deepEqual(await rowsWith(api, word), { emails: 1 });
    await api.deps.sql`update emails set created_at = now() - interval '8 days'`;
    const task = email.tasks?.(api.deps).find(({ name }) => name === 'delete-old-emails');
    await task?.run(new Date(), AbortSignal.any([]));
    assert.deepEqual(await rowsWith(api, word), {});
  });
});
