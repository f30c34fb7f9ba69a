import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { makeAdminIn, type MadeAdmin } from '#app/admin.ts';
import { PASSWORD } from '#test/client.ts';
import { testDatabase } from '#test/database.ts';
import { startTestApi } from '#test/harness.ts';
import { emailsTo, secretOf } from '#test/factories/emails.ts';
import { audit } from '#features/audit/routes.ts';
import { makeAdmin } from './admin-account.ts';
import { sendRequestedReset } from '../password/password-reset.ts';
import { hashPassword } from '../password/passwords.ts';
import { auth } from '../routes.ts';

const api = await startTestApi({ after }, { features: [audit, auth] });
const ALL = ['desk', 'money', 'content', 'users', 'settings'];
// Someone must be there, as on every desk after its first start.
await api.asAdmin();

const newEmail = () => `${randomUUID()}@example.com`;

async function make(
  address: string,
  reset = false,
  name?: string,
): Promise<Extract<MadeAdmin, { done: unknown }>> {
  const made = await makeAdminIn(api.deps.config, api.databaseUrl, { address, reset, name });
  assert.ok('done' in made, JSON.stringify(made));
  return made;
}

async function auditOf(userId: string) {
  return api.db
    .selectFrom('audit_events')
    .select(['action', 'actor_kind', 'actor_id', 'data'])
    .where('subject_id', '=', userId)
    .where('action', '!=', 'auth.signup')
    .orderBy('id')
    .execute();
}

describe('making an admin', () => {
  it('creates an admin with a generated password, who can sign in', async () => {
    const email = newEmail();
    const made = await make(`  ${email.toUpperCase()} `);
    assert.equal(made.done, 'created');
    assert.match(made.newPassword ?? '', /^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    const user = await api.client().signIn(email, made.newPassword ?? '');
    assert.equal(user.role, 'admin');
    assert.deepEqual(user.permissions, ALL);
    assert.deepEqual(await auditOf(user.id), [
      {
        action: 'auth.admin_created',
        actor_kind: 'system',
        actor_id: null,
        data: { permissions: ALL },
      },
    ]);
  });

  it('sets the given name on a new or unverified account, and on no other', async () => {
    const named = async (made: Promise<Extract<MadeAdmin, { done: unknown }>>) => {
      const { done, email } = await made;
      const user = await api.db
        .selectFrom('users')
        .select('name')
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      return [done, user.name];
    };
    const { user: stranger } = await api.asMember({ name: 'A stranger', verified: false });
    const { user: customer } = await api.asMember({ name: 'Alex Marlow' });
    const robin = ' Robin Okafor ';
    assert.deepEqual(await named(make(newEmail())), ['created', 'Admin']);
    assert.deepEqual(await named(make(newEmail(), false, robin)), ['created', 'Robin Okafor']);
    const over = await named(make(stranger.email, false, robin));
    assert.deepEqual(over, ['taken_over', 'Robin Okafor']);
    const known = await named(make(customer.email, false, robin));
    assert.deepEqual(known, ['promoted', 'Alex Marlow']);
    for (const name of ['  ', 'Rob\u200bin', 'x'.repeat(101)]) {
      const asked = { address: newEmail(), reset: false, name };
      const made = await makeAdminIn(api.deps.config, api.databaseUrl, asked);
      assert.deepEqual(made, { refused: 'no_name' }, name);
    }
  });

  it('promotes a customer, who keeps the password and is signed out everywhere', async () => {
    const email = newEmail();
    const { client, user } = await api.asMember({ email });
    const other = api.client();
    await other.signIn(email);
    assert.deepEqual(await make(email), {
      done: 'promoted',
      role: 'admin',
      email,
      newPassword: null,
    });
    for (const browser of [client, other])
      assert.equal((await browser.get('/api/user')).status, 401);
    const admin = await api.client().signIn(email, PASSWORD);
    assert.equal(admin.role, 'admin');
    assert.deepEqual(admin.permissions, ALL);
    const [event] = await auditOf(user.id);
    assert.equal(event?.action, 'auth.admin_granted');
    assert.deepEqual(event?.data, {
      before: { role: 'user', permissions: [] },
      permissions: ALL,
      sessions_ended: 2,
    });
    const message = (await emailsTo(api, email)).find(({ kind }) => kind === 'admin-made');
    assert.equal(message?.user_id, user.id);
    assert.doesNotMatch(JSON.stringify(message?.data), /linked accounts/);
  });

  it('emails neither a user who is an admin already nor a new admin', async () => {
    const [some, none] = [newEmail(), newEmail()];
    await api.asAdmin({ email: some, permissions: ['desk'] });
    assert.equal((await make(some)).done, 'promoted');
    assert.equal((await make(none)).done, 'created');
    for (const email of [some, none]) assert.deepEqual(await emailsTo(api, email), []);
  });

  it('fails without the key that the email needs', async () => {
    const email = newEmail();
    const { user } = await api.asMember({ email });
    const config = { ...api.deps.config, appKey: null };
    await assert.rejects(makeAdminIn(config, api.databaseUrl, { address: email, reset: false }), {
      name: 'MissingAppKeyException',
    });
    assert.deepEqual(await auditOf(user.id), []);
  });

  it('does not change a full admin', async () => {
    const email = newEmail();
    const { client, user } = await api.asAdmin({ email });
    assert.deepEqual(await make(email), {
      done: 'unchanged',
      role: 'admin',
      email,
      newPassword: null,
    });
    assert.equal((await client.get('/api/user')).status, 200);
    assert.deepEqual(await auditOf(user.id), []);
  });

  it('resets a password: the old one stops working and all sessions end', async () => {
    const email = newEmail();
    const { client, user } = await api.asAdmin({ email });
    const made = await make(email, true);
    assert.equal(made.done, 'reset');
    assert.equal((await client.get('/api/user')).status, 401);
    const browser = api.client();
    const refused = await browser.post('/api/auth/signin', { email, password: PASSWORD });
    assert.equal(refused.status, 422);
    await browser.signIn(email, made.newPassword ?? '');
    const events = await auditOf(user.id);
    assert.deepEqual(
      events.map(({ action, data }) => [action, data]),
      [
        ['auth.password_reset', { sessions_ended: 1 }],
        ['auth.signin_failed', {}],
      ],
    );
    assert.ok(!JSON.stringify(events).includes(made.newPassword ?? ''));
  });

  it('resets a password without changing role or permissions', async () => {
    for (const [who, role, permissions] of [
      [await api.asMember({ email: newEmail() }), 'user', []],
      [await api.asAdmin({ email: newEmail(), permissions: ['desk'] }), 'admin', ['desk']],
    ] as const) {
      const { email, id } = who.user;
      const made = await make(email, true);
      assert.deepEqual([made.done, made.role], ['reset', role]);
      const user = await api.client().signIn(email, made.newPassword ?? '');
      assert.deepEqual([user.role, user.permissions], [role, permissions]);
      assert.deepEqual(
        (await auditOf(id)).map(({ action }) => action),
        ['auth.password_reset'],
      );
    }
  });

  it('ends earlier links', async () => {
    const { user } = await api.asMember({ email: newEmail() });
    await sendRequestedReset(api.deps, { email: user.email, ip: '::1', requestId: 'x' });
    const token = await secretOf(api, user.email, 'reset-password');
    await make(user.email, true);
    const body = { token, password: 'a purse full of crowns' };
    const answer = await api.client().post('/api/auth/reset-password', body);
    assert.equal(answer.body.code, 'link_invalid');
  });

  it('leaves no session of a sign-in with the old password at the same time', async () => {
    const { user } = await api.asMember({ email: newEmail() });
    const passwordHash = await hashPassword('a new purse of crowns');
    const browsers = Array.from({ length: 6 }, () => api.client());
    const account = { email: user.email, passwordHash, reset: true };
    const signingIn = browsers.map((browser) =>
      browser.post('/api/auth/signin', { email: user.email, password: PASSWORD }),
    );
    // The first has signed in, and others have read the old hash and are still proving it.
    assert.equal((await Promise.race(signingIn)).status, 200);
    await makeAdmin(api.deps, account);
    await Promise.all(signingIn);
    for (const browser of browsers) assert.equal((await browser.get('/api/user')).status, 401);
  });

  it('refuses an invalid, an unknown and a disabled address, and changes nothing', async () => {
    const answer = (address: string, reset = false) =>
      makeAdminIn(api.deps.config, api.databaseUrl, { address, reset });
    for (const address of ['', 'boss', 'a@b@example.com', `${'a'.repeat(260)}@example.com`])
      assert.deepEqual(await answer(address), { refused: 'no_address' }, address);

    const email = newEmail();
    assert.deepEqual(await answer(email, true), { refused: 'unknown' });
    assert.equal((await make(email)).done, 'created');
    await api.db
      .updateTable('users')
      .set({ disabled_at: new Date() })
      .where('email', '=', email)
      .execute();
    assert.deepEqual(await answer(email, true), { refused: 'disabled' });
  });

  it('creates one account when two commands name the same address', async () => {
    const email = newEmail();
    const both = await Promise.all([make(email), make(email)]);
    assert.deepEqual(both.map(({ done }) => done).toSorted(), ['created', 'unchanged']);
    const password = both.find(({ done }) => done === 'created')?.newPassword ?? '';
    await api.client().signIn(email, password);
  });

  it('refuses a desk without users', async () => {
    const databaseUrl = await testDatabase({ after });
    const made = await makeAdminIn(api.deps.config, databaseUrl, {
      address: newEmail(),
      reset: false,
    });
    assert.deepEqual(made, { refused: 'no_desk' });
  });
});
