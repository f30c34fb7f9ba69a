/** Password resets. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { notedOf } from '#test/factories/audit.ts';
import { PASSWORD, type Client } from '#test/client.ts';
import { startTestApi, type TestApi } from '#test/harness.ts';
import { emailsTo, secretOf } from '#test/factories/emails.ts';
import { addTotp } from '#test/factories/second-factor.ts';
import { audit } from '#features/audit/routes.ts';
import { sendRequestedReset, purgeResets } from './password-reset.ts';
import { nameFrom } from '../users.ts';
import { auth } from '../routes.ts';

const api = await startTestApi({ after }, { features: [audit, auth] });
const NEW_PASSWORD = 'a purse full of crowns';
const newEmail = () => `${randomUUID()}@example.com`;
const kinds = async (email: string) => (await emailsTo(api, email)).map(({ kind }) => kind);

/** Requests a reset and runs its job. */
async function forget(email: string, client = api.client()): Promise<void> {
  const answer = await client.post('/api/auth/forgot-password', { email });
  assert.equal(answer.status, 202, answer.text);
  await sendRequestedReset(api.deps, { email, ip: '127.0.0.1', requestId: 'test' });
}

/** Runs the job in another API; returns the newest token. */
async function askFor(there: TestApi, email: string): Promise<string> {
  await sendRequestedReset(there.deps, { email, ip: '::1', requestId: 'x' });
  return secretOf(there, email, 'reset-password');
}

/** Name and language as an attacker could enter them with another person’s address. */
const enterForAnother = (id: string) =>
  api.db
    .updateTable('users')
    .set({ name: 'Blocked! Call +44', locale: 'de' })
    .where('id', '=', id)
    .execute();
const resetToken = (email: string) => secretOf(api, email, 'reset-password');
const signIn = (email: string, password: string, client = api.client()) =>
  client.post('/api/auth/signin', { email, password });
const isIn = async (client: Client) => (await client.get('/api/user')).status === 200;

describe('POST /api/auth/forgot-password', () => {
  it('202: answers the same for all addresses, and emails only accounts that may sign in', async () => {
    const { user } = await api.asMember();
    const { user: disabled } = await api.asMember();
    const row = api.db.updateTable('users').where('id', '=', disabled.id);
    await row.set({ disabled_at: new Date() }).execute();
    const nobody = newEmail();
    const answers = [];
    for (const email of [user.email.toUpperCase(), disabled.email, nobody]) {
      answers.push(await api.client().post('/api/auth/forgot-password', { email }));
      await sendRequestedReset(api.deps, { email: email.toLowerCase(), ip: '::1', requestId: 'x' });
    }
    assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assert.ok((await kinds(user.email)).includes('reset-password'));
    assert.ok(!(await kinds(disabled.email)).includes('reset-password'));
    assert.deepEqual(await kinds(nobody), []);
  });

  it('202: enqueues a job, which sends the email', async () => {
    const there = await startTestApi({ after }, { features: [audit, auth], jobs: true });
    const { user } = await there.asMember();
    await there.client().post('/api/auth/forgot-password', { email: user.email });
    for (let waited = 0; waited < 100; waited += 1) {
      const emails = await emailsTo(there, user.email);
      if (emails.some(({ kind }) => kind === 'reset-password')) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.fail('No email came.');
  });

  it('sends at most one email a minute', async () => {
    const { user } = await api.asMember();
    await Promise.all([forget(user.email), forget(user.email)]);
    await forget(user.email);
    const sent = (await kinds(user.email)).filter((kind) => kind === 'reset-password');
    assert.equal(sent.length, 1);
  });

  it('422: refuses an invalid address', async () => {
    const answer = await api.client().post('/api/auth/forgot-password', { email: 'me' });
    assert.equal(answer.status, 422);
  });
});

describe('POST /api/auth/reset-password', () => {
  const reset = (token: string, password = NEW_PASSWORD, client = api.client()) =>
    client.post('/api/auth/reset-password', { token, password });

  it('204: works once, ends all sessions, starts none, and emails the owner', async () => {
    const { client, user } = await api.asMember({ verified: false });
    const other = api.client();
    await other.signIn(user.email);
    await forget(user.email);
    const token = await resetToken(user.email);
    const stranger = api.client();
    assert.equal((await reset(token, NEW_PASSWORD, stranger)).status, 204);
    for (const browser of [client, other, stranger]) assert.equal(await isIn(browser), false);
    assert.equal((await signIn(user.email, PASSWORD)).status, 422);
    const again = await signIn(user.email, NEW_PASSWORD);
    assert.equal(again.status, 200);
    assert.notEqual(again.body.data.email_verified_at, null);
    assert.ok((await kinds(user.email)).includes('password-changed'));
    const used = await reset(token);
    assert.equal(used.status, 409);
    assert.equal(used.body.code, 'link_invalid');
  });

  it('204: resets the count of failures, so that the owner can sign in at once', async () => {
    const env = { THROTTLE_SCALE: '1' };
    const there = await startTestApi({ after }, { features: [audit, auth], env });
    there.clock.set(new Date());
    const { user } = await there.asMember();
    const { user: other } = await there.asMember();
    const enter = (password: string, { email } = user) => signIn(email, password, there.client());
    for (let count = 0; count < 5; count += 1) {
      assert.equal((await enter('wrong')).status, 422);
      assert.equal((await enter('wrong', other)).status, 422);
    }
    assert.equal((await enter(PASSWORD)).status, 429);
    const token = await askFor(there, user.email);
    assert.equal((await reset(token, NEW_PASSWORD, there.client())).status, 204);
    assert.equal((await enter(NEW_PASSWORD)).status, 200);
    assert.equal((await enter(PASSWORD, other)).status, 429, 'and nobody else');
  });

  it('checks a link without using it up: 204, or 409 for an invalid one', async () => {
    const there = await startTestApi({ after }, { features: [audit, auth] });
    const { user } = await there.asMember();
    const check = (token: string) =>
      there.client().post('/api/auth/reset-password/check', { token });
    const token = await askFor(there, user.email);
    for (let times = 0; times < 2; times += 1) assert.equal((await check(token)).status, 204);
    assert.deepEqual((await check('of-nobody')).body.code, 'link_invalid');
    there.clock.advance(HOUR);
    assert.equal((await check(token)).body.code, 'link_expired');
    const fresh = await askFor(there, user.email);
    assert.equal((await reset(fresh, NEW_PASSWORD, there.client())).status, 204);
    const used = await check(fresh);
    assert.deepEqual([used.status, used.body.code], [409, 'link_invalid']);
  });

  it('422: refuses the current password, without using the link up', async () => {
    const { user } = await api.asMember();
    await forget(user.email);
    const token = await resetToken(user.email);
    const same = await reset(token, PASSWORD);
    assert.equal(same.status, 422);
    assert.match(same.body.errors.password[0], /your current password/);
    assert.equal((await reset(token)).status, 204);
  });

  it('409: accepts one of two concurrent uses of a link', async () => {
    const { user } = await api.asMember();
    await forget(user.email);
    const token = await resetToken(user.email);
    const passwords = ['the first of two crowns', 'the second of two crowns'];
    const answers = await Promise.all(passwords.map((password) => reset(token, password)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 409]);
    const winner = passwords[answers.findIndex(({ status }) => status === 204)] ?? '';
    assert.equal((await signIn(user.email, winner)).status, 200);
  });

  it('409: after 60 minutes, after a change of the password', async () => {
    const there = await startTestApi({ after }, { features: [audit, auth] });
    const { client, user } = await there.asMember();
    const ask = () => askFor(there, user.email);
    const codeOf = async (token: string) =>
      (await reset(token, NEW_PASSWORD, there.client())).body.code;
    const first = await ask();
    there.clock.advance(HOUR);
    assert.equal(await codeOf(first), 'link_expired');
    const second = await ask();
    const body = { current_password: PASSWORD, password: NEW_PASSWORD };
    assert.equal((await client.put('/api/user/password', body)).status, 200);
    assert.equal(await codeOf(second), 'link_invalid');
  });

  it('204: accepts an earlier link after more requests, and ends all others', async () => {
    const there = await startTestApi({ after }, { features: [audit, auth] });
    const { user } = await there.asMember();
    const tokens = [];
    for (let count = 0; count < 7; count += 1) {
      tokens.push(await askFor(there, user.email));
      there.clock.advance(MINUTE);
    }
    // Five in an hour: the last two times the newest is the fifth.
    assert.equal(new Set(tokens).size, 5);
    const [mine = '', ...others] = tokens;
    assert.equal((await reset(mine, NEW_PASSWORD, there.client())).status, 204);
    for (const token of others)
      assert.equal((await reset(token, NEW_PASSWORD, there.client())).body.code, 'link_invalid');
    assert.notEqual(await askFor(there, user.email), tokens.at(-1));
  });

  it('409: accepts one of two links used at the same time', async () => {
    const there = await startTestApi({ after }, { features: [audit, auth] });
    const { user } = await there.asMember();
    const tokens = [await askFor(there, user.email)];
    there.clock.advance(MINUTE);
    tokens.push(await askFor(there, user.email));
    const answers = await Promise.all(
      tokens.map((token) => reset(token, NEW_PASSWORD, there.client())),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 409]);
  });

  it('deletes links a day after they expired', async () => {
    const { user } = await api.asMember();
    await forget(user.email);
    const open = () =>
      api.db.selectFrom('password_resets').selectAll().where('user_id', '=', user.id).execute();
    await purgeResets(api.deps, new Date(api.clock.now().getTime() + DAY));
    assert.equal((await open()).length, 1);
    await purgeResets(api.deps, new Date(api.clock.now().getTime() + DAY + 2 * HOUR));
    assert.deepEqual(await open(), []);
  });

  it('422: refuses weak passwords without using the link up', async () => {
    const { user } = await api.asMember();
    await forget(user.email);
    const token = await resetToken(user.email);
    for (const bad of ['password1', 'short', 'Alex Marlow', user.email]) {
      const answer = await reset(token, bad);
      assert.equal(answer.status, 422, bad);
      assert.ok(answer.body.errors.password);
    }
    assert.equal((await reset(token)).status, 204);
  });

  it('removes name and language of an unverified account, and sends no email with them', async () => {
    const { client, user } = await api.asMember({ verified: false });
    await addTotp(client, api.clock.now());
    await enterForAnother(user.id);
    await forget(user.email);
    assert.equal((await reset(await resetToken(user.email))).status, 204);
    const { data } = (await signIn(user.email, NEW_PASSWORD)).body;
    assert.deepEqual([data.name, data.locale], [user.email.split('@')[0], 'en']);
    const emails = await emailsTo(api, user.email);
    const sent = emails.find(({ kind }) => kind === 'password-changed');
    assert.match(JSON.stringify(sent?.data), /"heading":"Your password was changed"/);
    assert.ok(JSON.stringify(sent?.data).includes(`your name is “${data.name}” now`));
    assert.doesNotMatch(JSON.stringify(emails), /Blocked/);
    assert.deepEqual(await notedOf(api, user.id, 'auth.password_reset'), {
      sessions_ended: 1,
      purged: true,
    });
  });

  it('derives a readable name from an address', () => {
    assert.equal(nameFrom('ana.ruiz@example.com'), 'ana.ruiz');
    for (const name of ['"a\u202eb"', 'x'.repeat(101), ''])
      assert.equal(nameFrom(`${name}@example.com`), 'Customer', name);
  });

  it('keeps the name of a verified account', async () => {
    const { user } = await api.asMember();
    await forget(user.email);
    assert.equal((await reset(await resetToken(user.email))).status, 204);
    const { data } = (await signIn(user.email, NEW_PASSWORD)).body;
    assert.equal(data.name, user.name);
    const sent = (await emailsTo(api, user.email)).find(({ kind }) => kind === 'password-changed');
    assert.ok(JSON.stringify(sent?.data).includes(`changed, ${user.name}`));
  });
});
