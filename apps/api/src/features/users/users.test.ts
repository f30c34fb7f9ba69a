/** The console's people: who may do what to whom. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { Permission } from '@cambist/contract/endpoint';
import { sql } from 'kysely';
import { MINUTE } from '#kernel/clock.ts';
import { PASSWORD, type Client, type Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { emailsTo, secretOf } from '#test/factories/emails.ts';
import { addPasskey } from '#test/factories/second-factor.ts';
import { selectUsers } from './store.ts';

const api = await startTestApi({ after });
const { client: admin, user: adminUser } = await api.asAdmin({ name: 'Robin Okafor' });
const ALL: Permission[] = ['desk', 'money', 'content', 'users', 'settings'];
const path = (id: string, rest = '') => `/api/admin/users/${id}${rest}`;
const isIn = async (client: Client) => (await client.get('/api/user')).status === 200;
const reason = 'Asked for by telephone';

async function lastAct(id: string): Promise<Json> {
  const answer = await admin.get('/api/admin/audit', {
    query: { subject_kind: 'user', subject_id: id, action: 'users.' },
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data[0];
}

describe('GET /api/admin/users', () => {
  const ids = async (query: Record<string, string>) => {
    const answer = await admin.get('/api/admin/users', { query });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.map(({ id }: Json) => id);
  };

  it('200: finds people by words and address, by role and state, page by page', async () => {
    const { user } = await api.asMember({ name: 'Wilhelmina Quist', verified: false });
    const { user: second } = await api.asMember({ name: 'Wilhelm Quist' });
    assert.deepEqual(await ids({ q: 'quist wilhelm' }), [second.id, user.id]);
    assert.deepEqual(await ids({ q: user.email }), [user.id]);
    assert.deepEqual(await ids({ q: 'quist', state: 'unverified' }), [user.id]);
    assert.deepEqual(await ids({ q: 'quist', state: 'admin' }), []);
    assert.deepEqual(await ids({ q: '%' }), []);
    const first = await admin.get('/api/admin/users', { query: { q: 'quist', per_page: 1 } });
    assert.deepEqual(await ids({ q: 'quist', cursor: first.body.meta.next_cursor }), [user.id]);
    assert.doesNotMatch(first.text, /hash|argon/);
  });

  it('200: finds everybody, however many have the same words, through an index', async () => {
    const { user: boss } = await api.asAdmin({ name: 'Ottoline Firstofall' });
    await sql`insert into users (id, name, email, created_at)
      select gen_random_uuid(), 'Ottoline ' || n, 'ottoline.' || n || '@many.example',
        now() + n * interval '1 millisecond'
      from generate_series(1, 230) n`.execute(api.db);
    assert.deepEqual(await ids({ q: 'ottoline', state: 'admin' }), [boss.id]);
    const found = new Set<string>();
    let cursor: string | null = null;
    do {
      const page = { q: 'ottoline', per_page: 100, ...(cursor === null ? {} : { cursor }) };
      const answer = await admin.get('/api/admin/users', { query: page });
      for (const { id } of answer.body.data) found.add(id);
      cursor = answer.body.meta.next_cursor;
    } while (cursor !== null);
    assert.equal(found.size, 231);
    await sql`insert into users (id, name, email, email_verified_at)
      select gen_random_uuid(), 'Person Number' || n, 'person.' || n || '@many.example', now()
      from generate_series(1, 20000) n`.execute(api.db);
    await sql`vacuum analyze users`.execute(api.db);
    for (const [given, index] of [
      [{ words: 'number777' }, /users_customer_words/],
      [{ words: 'ottoline' }, /users_customer_words/],
      [{ words: 'person.777@many' }, /users_customer_words|users_email/],
      [{ state: 'admin' }, /users_admins/],
      [{ state: 'disabled' }, /users_disabled/],
      [{ state: 'unverified' }, /users_unproved/],
    ] as const) {
      const ask = { words: '', state: undefined, after: undefined, limit: 26 };
      const plan = JSON.stringify(await selectUsers(api.db, { ...ask, ...given }).explain('json'));
      assert.ok(index.test(plan) && !plan.includes('Seq Scan'), plan);
    }
  });

  it('422: another cursor; 401 and 403: for others', async () => {
    const { client } = await api.asMember();
    const { client: clerk } = await api.asAdmin({ permissions: ['desk'] });
    const answer = await admin.get('/api/admin/users', { query: { cursor: 'x' } });
    assert.equal(answer.status, 422);
    assert.equal((await api.client().get('/api/admin/users')).status, 401);
    assert.equal((await client.get('/api/admin/users')).status, 403);
    assert.equal((await clerk.get('/api/admin/users')).status, 403);
  });
});

describe('GET /api/admin/users/{id}', () => {
  it('200: shows the ways to sign in and a new address that waits for its link; 404', async () => {
    const { client, user } = await api.asMember();
    await addPasskey(client);
    const email = `new.${user.email}`;
    assert.equal((await client.put('/api/user/email', { email })).status, 202);
    const { status, body } = await admin.get(path(user.id));
    assert.equal(status, 200);
    const { data } = body;
    assert.deepEqual([data.email, data.pending_email], [user.email, email]);
    assert.deepEqual([data.has_password, data.passkeys, data.identities], [true, 1, []]);
    assert.equal(data.exchanges, 0);
    for (const id of [randomUUID(), 'x']) assert.equal((await admin.get(path(id))).status, 404);
  });
});

describe('PUT /api/admin/users/{id}/role', () => {
  const change = (client: Client, id: string, role: string, permissions: readonly Permission[]) =>
    client.put(path(id, '/role'), { role, permissions });

  it('200: makes an admin, whose sessions end, and a customer again', async () => {
    const { client, user } = await api.asMember();
    const made = await change(admin, user.id, 'admin', ['users', 'desk', 'desk']);
    assert.equal(made.status, 200, made.text);
    assert.deepEqual(made.body.data.permissions, ['desk', 'users']);
    assert.equal(await isIn(client), false);
    const back = await change(admin, user.id, 'user', []);
    assert.deepEqual([back.body.data.role, back.body.data.permissions], ['user', []]);
    const event = await lastAct(user.id);
    assert.equal(event.action, 'users.role_changed');
    assert.equal(event.actor_name, 'Robin Okafor');
    assert.deepEqual(event.data.before, { role: 'admin', permissions: ['desk', 'users'] });
    await change(admin, user.id, 'user', []);
    const sent = (await emailsTo(api, user.email)).map(({ kind }) => kind);
    const own = sent.filter((kind) => kind.startsWith('admin-'));
    assert.deepEqual(own, ['admin-made', 'admin-ended']);
  });

  it('409: not one’s own; 422: a customer with permissions; 404: nobody', async () => {
    const { user } = await api.asMember();
    const own = await change(admin, adminUser.id, 'user', []);
    assert.deepEqual([own.status, own.body.code], [409, 'own_account']);
    assert.equal((await change(admin, user.id, 'user', ['desk'])).status, 422);
    assert.equal((await change(admin, randomUUID(), 'user', [])).status, 404);
  });

  it('403: nothing beyond one’s own permissions, given or taken', async () => {
    const { client: clerk } = await api.asAdmin({ permissions: ['users', 'desk'] });
    const { user } = await api.asMember();
    const { user: other } = await api.asAdmin({ permissions: ['money'] });
    assert.equal((await change(clerk, user.id, 'admin', ['desk'])).status, 200);
    for (const [id, permissions] of [
      [user.id, ['desk', 'money']],
      [other.id, []],
    ] as const) {
      const answer = await change(clerk, id, 'admin', permissions);
      assert.deepEqual([answer.status, answer.body.code], [403, 'beyond_own_permissions']);
    }
    for (const act of [
      clerk.put(path(other.id, '/disabling'), { reason }),
      clerk.delete(path(other.id, '/disabling')),
      clerk.delete(path(other.id, '/sessions')),
      clerk.post(path(other.id, '/password-reset')),
      clerk.delete(path(other.id, '/two-factor'), { reason }),
    ])
      assert.equal((await act).body.code, 'beyond_own_permissions');
  });

  it('403: only shortly after a confirmation', async () => {
    const there = await startTestApi({ after });
    const { client } = await there.asAdmin();
    const { user } = await there.asMember();
    there.clock.advance(10 * MINUTE);
    const late = await change(client, user.id, 'admin', ['desk']);
    assert.deepEqual([late.status, late.body.code], [403, 'confirmation_required']);
    await client.post('/api/user/confirmation', { password: PASSWORD });
    assert.equal((await change(client, user.id, 'admin', ['desk'])).status, 200);
  });

  it('leaves one of two admins who demote each other at once', async () => {
    const there = await startTestApi({ after });
    const one = await there.asAdmin();
    const two = await there.asAdmin();
    const answers = await Promise.all([
      change(one.client, two.user.id, 'user', []),
      change(two.client, one.user.id, 'user', []),
    ]);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    const left = await there.db
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'admin')
      .execute();
    assert.equal(left.length, 1);
  });
});

describe('PUT and DELETE /api/admin/users/{id}/disabling', () => {
  it('200: out in the next request, in again later', async () => {
    const { client, user } = await api.asMember();
    const out = await admin.put(path(user.id, '/disabling'), { reason });
    assert.equal(out.status, 200, out.text);
    assert.notEqual(out.body.data.disabled_at, null);
    assert.equal(await isIn(client), false);
    const signIn = () =>
      api.client().post('/api/auth/signin', { email: user.email, password: PASSWORD });
    assert.equal((await signIn()).status, 422);
    assert.deepEqual((await lastAct(user.id)).data, { reason, sessions_ended: 1 });
    assert.equal((await admin.delete(path(user.id, '/disabling'))).status, 200);
    assert.equal((await signIn()).status, 200);
  });

  it('409: not oneself; 422: without a reason; 404: nobody', async () => {
    const own = await admin.put(path(adminUser.id, '/disabling'), { reason });
    assert.equal(own.body.code, 'own_account');
    const { user } = await api.asMember();
    for (const body of [{}, { reason: '  ' }])
      assert.equal((await admin.put(path(user.id, '/disabling'), body)).status, 422);
    assert.equal((await admin.put(path(randomUUID(), '/disabling'), { reason })).status, 404);
    assert.equal((await admin.delete(path(randomUUID(), '/disabling'))).status, 404);
  });
});

describe('sessions of somebody', () => {
  it('are listed and ended', async () => {
    const { client, user } = await api.asMember();
    const list = await admin.get(path(user.id, '/sessions'));
    assert.equal(list.status, 200);
    assert.deepEqual(
      list.body.data.map(({ current }: Json) => current),
      [false],
    );
    assert.equal((await admin.delete(path(user.id, '/sessions'))).status, 204);
    assert.equal(await isIn(client), false);
    assert.equal((await admin.get(path(randomUUID(), '/sessions'))).status, 404);
    assert.equal((await admin.delete(path(randomUUID(), '/sessions'))).status, 404);
  });
});

describe('POST /api/admin/users/{id}/password-reset', () => {
  it('202: the old password is worth nothing, an email leads to a new one', async () => {
    const { client, user } = await api.asMember();
    assert.equal((await admin.post(path(user.id, '/password-reset'))).status, 202);
    assert.equal(await isIn(client), false);
    const body = { email: user.email, password: PASSWORD };
    assert.equal((await api.client().post('/api/auth/signin', body)).status, 422);
    const token = await secretOf(api, user.email, 'password-reset-forced');
    const choose = (password: string) =>
      api.client().post('/api/auth/reset-password', { token, password });
    const taken = await choose(PASSWORD);
    assert.equal(taken.status, 422);
    assert.match(taken.body.errors.password[0], /was reset/);
    const password = 'a purse full of crowns';
    assert.equal((await choose(password)).status, 204);
    await api.client().signIn(user.email, password);
    const row = await api.db
      .selectFrom('users')
      .select('taken_password_hash')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    assert.equal(row.taken_password_hash, null);
    assert.equal((await admin.post(path(randomUUID(), '/password-reset'))).status, 404);
  });

  it('202: also twice, and the old password is still refused', async () => {
    const { user } = await api.asMember();
    for (let times = 0; times < 2; times += 1)
      assert.equal((await admin.post(path(user.id, '/password-reset'))).status, 202);
    const token = await secretOf(api, user.email, 'password-reset-forced');
    const body = { token, password: PASSWORD };
    const taken = await api.client().post('/api/auth/reset-password', body);
    assert.match(taken.body.errors.password[0], /was reset/);
  });

  it('409: not the last admin with all permissions who can sign in', async () => {
    const there = await startTestApi({ after });
    const { client, user } = await there.asAdmin();
    const { user: ghost } = await there.asAdmin({ permissions: ALL });
    const row = there.db.updateTable('users').where('id', '=', ghost.id);
    await row.set({ password_hash: null }).execute();
    const answer = await client.post(path(user.id, '/password-reset'));
    assert.deepEqual([answer.status, answer.body.code], [409, 'last_admin']);
  });
});

describe('DELETE /api/admin/users/{id}/two-factor', () => {
  it('204: takes all factors off, ends sessions, tells the person; 409: not one’s own', async () => {
    const { client, user } = await api.asMember();
    const row = api.db.updateTable('users').where('id', '=', user.id);
    await row.set({ two_factor_at: new Date() }).execute();
    const sealed = Buffer.from('x');
    await api.db
      .insertInto('totp_factors')
      .values({ user_id: user.id, sealed, confirmed_at: new Date() })
      .execute();
    const answer = await admin.delete(path(user.id, '/two-factor'), { reason });
    assert.equal(answer.status, 204, answer.text);
    assert.equal((await admin.get(path(user.id))).body.data.two_factor_enabled, false);
    assert.equal(await isIn(client), false);
    assert.ok((await emailsTo(api, user.email)).some(({ kind }) => /factor/.test(kind)));
    const own = await admin.delete(path(adminUser.id, '/two-factor'), { reason });
    assert.equal(own.body.code, 'own_account');
    assert.equal((await admin.delete(path(randomUUID(), '/two-factor'), { reason })).status, 404);
  });
});
