/** Accounts with an unverified address, which anyone may have opened. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { permissions } from '@cambist/contract/endpoint';
import { makeAdminIn } from '#app/admin.ts';
import { notedOf } from '#test/factories/audit.ts';
import { PASSWORD } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { emailsTo, secretOf } from '#test/factories/emails.ts';
import { addPasskey, addTotp } from '#test/factories/second-factor.ts';
import { sendRequestedReset } from '../password/password-reset.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();

/** An account that an attacker has opened with the address of another person, with everything set up on it. */
async function openForAnother() {
  const { client, user } = await api.asMember({ verified: false });
  const { email } = user;
  await api.db
    .insertInto('identities')
    .values({
      provider: 'google',
      subject: randomUUID(),
      user_id: user.id,
      email: null,
      last_used_at: null,
    })
    .execute();
  await addTotp(client, api.clock.now());
  const { device } = await addPasskey(client);
  await sendRequestedReset(api.deps, { email, ip: '203.0.113.9', requestId: 'r' });
  return { client, user, email, device, link: await secretOf(api, email, 'reset-password') };
}

async function waysOf(userId: string) {
  const ways = [];
  for (const table of [
    'identities',
    'totp_factors',
    'passkeys',
    'recovery_codes',
    'sessions',
    'password_resets',
    'known_browsers',
  ] as const) {
    const rows = await api.db
      .selectFrom(table)
      .select('user_id')
      .where('user_id', '=', userId)
      .execute();
    if (rows.length > 0) ways.push(table);
  }
  return ways;
}

async function run(address: string, reset = false) {
  const made = await makeAdminIn(api.deps.config, api.databaseUrl, { address, reset });
  assert.ok('done' in made, JSON.stringify(made));
  return made;
}

const userRow = (id: string) =>
  api.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('npm run admin on an unverified account', () => {
  it('takes it over with a new password and removes everything else', async () => {
    const { client, user, email, link } = await openForAnother();
    const said = { name: 'A stranger', locale: 'de', pending_email: 'stranger@example.com' };
    await api.db.updateTable('users').set(said).where('id', '=', user.id).execute();
    const made = await run(email);
    assert.equal(made.done, 'taken_over');
    assert.deepEqual(await waysOf(user.id), []);
    assert.equal((await client.get('/api/user')).status, 401);
    const old = await api.client().post('/api/auth/signin', { email, password: PASSWORD });
    assert.equal(old.status, 422);
    const reset = { token: link, password: 'a purse full of crowns' };
    const used = await api.client().post('/api/auth/reset-password', reset);
    assert.equal(used.body.code, 'link_invalid');
    const now = await api.client().signIn(email, made.newPassword ?? '');
    assert.deepEqual(now.permissions, [...permissions]);
    assert.equal(now.two_factor_enabled, false);
    assert.notEqual(now.email_verified_at, null);
    const message = (await emailsTo(api, email)).find(({ kind }) => kind === 'admin-made');
    assert.equal(message?.locale, 'en');
    const text = JSON.stringify(message?.data);
    assert.doesNotMatch(text, /stranger/);
    assert.ok(text.includes('your name is “Admin” now'), text);
    assert.match(text, /Passkeys, the authenticator app, linked accounts and the consent/);
    const { name, locale, terms_accepted_at } = await userRow(user.id);
    assert.deepEqual([name, locale, terms_accepted_at], ['Admin', 'en', null]);
    assert.deepEqual(await notedOf(api, user.id, 'auth.admin_granted'), {
      before: { role: 'user', permissions: [] },
      permissions: [...permissions],
      sessions_ended: 1,
      taken_over: true,
    });
  });

  it('takes it over also if it is an admin already', async () => {
    const { user, email } = await openForAnother();
    await api.db
      .updateTable('users')
      .set({ role: 'admin', permissions: [...permissions] })
      .where('id', '=', user.id)
      .execute();
    assert.equal((await run(email)).done, 'taken_over');
    assert.deepEqual(await waysOf(user.id), []);
  });

  it('--reset-password leaves only the new password, and does not verify the address', async () => {
    const { user, email } = await openForAnother();
    const left = { pending_email: 'stranger@example.com', verification_next: '/preview?x=1' };
    await api.db.updateTable('users').set(left).where('id', '=', user.id).execute();
    const made = await run(email, true);
    assert.equal(made.done, 'reset');
    assert.deepEqual(await waysOf(user.id), []);
    const { pending_email, verification_next, terms_accepted_at } = await userRow(user.id);
    assert.deepEqual([pending_email, verification_next, terms_accepted_at], [null, null, null]);
    const now = await api.client().signIn(email, made.newPassword ?? '');
    assert.deepEqual([now.role, now.email_verified_at], ['user', null]);
    const emails = await emailsTo(api, email);
    const text = JSON.stringify(emails.find(({ kind }) => kind === 'password-reset-by-desk')?.data);
    assert.ok(text.includes(`your name is “${email.split('@')[0]}” now`), text);
    assert.match(text, /Passkeys, the authenticator app, linked accounts and the consent/);
    assert.deepEqual(await notedOf(api, user.id, 'auth.password_reset'), {
      sessions_ended: 1,
      purged: true,
    });
  });
});

const choose = (token: string) =>
  api.client().post('/api/auth/reset-password', { token, password: 'a purse full of crowns' });

describe('a new password by email', () => {
  it('removes everything of an unverified account, and keeps the consent of a verified one', async () => {
    const { user: stranger, link } = await openForAnother();
    assert.notEqual((await userRow(stranger.id)).terms_accepted_at, null);
    assert.equal((await choose(link)).status, 204);
    assert.deepEqual(await waysOf(stranger.id), []);
    assert.equal((await userRow(stranger.id)).terms_accepted_at, null);
    const { user: owner } = await api.asMember();
    const { email } = owner;
    await sendRequestedReset(api.deps, { email, ip: '203.0.113.9', requestId: 'r' });
    assert.equal((await choose(await secretOf(api, email, 'reset-password'))).status, 204);
    assert.notEqual((await userRow(owner.id)).terms_accepted_at, null);
  });
});

describe('the email after a password reset', () => {
  it('says that everything else was removed, but only to a user whose address was unverified', async () => {
    for (const verified of [false, true]) {
      const { user } = await api.asMember({ verified });
      const { email } = user;
      await sendRequestedReset(api.deps, { email, ip: '203.0.113.9', requestId: 'r' });
      assert.equal((await choose(await secretOf(api, email, 'reset-password'))).status, 204);
      const sent = (await emailsTo(api, email)).find(({ kind }) => kind === 'password-changed');
      assert.equal(/linked accounts/.test(JSON.stringify(sent?.data)), !verified);
    }
  });
});

describe('a pending change of address by a thief of the password', () => {
  const wanted = 'thief@example.com';
  const ask = async () => {
    const member = await api.asMember();
    const body = { email: wanted, current_password: PASSWORD };
    assert.equal((await member.client.put('/api/user/email', body)).status, 202);
    assert.equal((await userRow(member.user.id)).pending_email, wanted);
    return member;
  };

  it('is cancelled by the command that resets the password', async () => {
    const { user } = await ask();
    await run(user.email, true);
    assert.equal((await userRow(user.id)).pending_email, null);
  });

  it('is cancelled when an admin forces a new password', async () => {
    const { user } = await ask();
    const answer = await admin.post(`/api/admin/users/${user.id}/password-reset`);
    assert.equal(answer.status, 202, answer.text);
    assert.equal((await userRow(user.id)).pending_email, null);
  });

  it('is cancelled when the owner changes the password, and is not part of the export', async () => {
    const { user, client } = await ask();
    const { text } = await client.get('/api/user/export');
    assert.doesNotMatch(text, /verify-new-address/);
    const password = 'a new wooden spoon 7';
    const body = { current_password: PASSWORD, password, password_confirmation: password };
    assert.equal((await client.put('/api/user/password', body)).status, 200);
    assert.equal((await userRow(user.id)).pending_email, null);
  });
});

describe('npm run admin -- --reset-password', () => {
  it('keeps the second step of a verified account, and emails the user', async () => {
    const { client, user } = await api.asMember();
    await addTotp(client, api.clock.now());
    await run(user.email, true);
    assert.notEqual((await userRow(user.id)).two_factor_at, null);
    const message = (await emailsTo(api, user.email)).at(-1);
    assert.equal(message?.kind, 'password-reset-by-desk');
    assert.match(JSON.stringify(message?.data), /new password/);
    assert.doesNotMatch(JSON.stringify(message?.data), /linked accounts/);
  });
});

describe('PUT /api/admin/users/{id}/role for an unverified account', () => {
  const change = (id: string, role: string, given: readonly string[]) =>
    admin.put(`/api/admin/users/${id}/role`, { role, permissions: given });

  it('422: refuses to make the user an admin, or to add permissions', async () => {
    const { user } = await api.asMember({ verified: false });
    for (const given of [[], ['desk'], permissions]) {
      const answer = await change(user.id, 'admin', given);
      assert.equal(answer.status, 422, answer.text);
      assert.match(answer.body.errors.role[0], /has not confirmed/);
    }
    assert.equal((await userRow(user.id)).role, 'user');
    await api.db
      .updateTable('users')
      .set({ role: 'admin', permissions: ['desk'] })
      .where('id', '=', user.id)
      .execute();
    assert.equal((await change(user.id, 'admin', ['desk', 'money'])).status, 422);
    assert.equal((await change(user.id, 'admin', [])).status, 200);
    assert.equal((await change(user.id, 'user', [])).status, 200);
  });
});
