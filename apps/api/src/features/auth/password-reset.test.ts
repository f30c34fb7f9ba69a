/** A new password by letter, which is read where it waits. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { PASSWORD, type Client } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { lettersTo, secretOf } from '#test/letters.ts';
import { audit } from '../audit/routes.ts';
import { answerForgotten } from './password-reset.ts';
import { auth } from './routes.ts';

const api = await startTestApi({ after }, { features: [audit, auth] });
const NEW_PASSWORD = 'a purse full of crowns';
const newEmail = () => `${randomUUID()}@example.com`;
const kinds = async (email: string) => (await lettersTo(api, email)).map(({ kind }) => kind);

/** Asks and lets the job run, as its worker would. */
async function forget(email: string, client = api.client()): Promise<void> {
  const answer = await client.post('/api/auth/forgot-password', { email });
  assert.equal(answer.status, 202, answer.text);
  await answerForgotten(api.deps, { email, ip: '127.0.0.1', requestId: 'test' });
}

const resetToken = (email: string) => secretOf(api, email, 'reset-password');
const signIn = (email: string, password: string, client = api.client()) =>
  client.post('/api/auth/signin', { email, password });
const isIn = async (client: Client) => (await client.get('/api/user')).status === 200;

describe('POST /api/auth/forgot-password', () => {
  it('202: the same for all; a letter only where there is an account that may sign in', async () => {
    const { user } = await api.asMember();
    const { user: disabled } = await api.asMember();
    const row = api.db.updateTable('users').where('id', '=', disabled.id);
    await row.set({ disabled_at: new Date() }).execute();
    const nobody = newEmail();
    const answers = [];
    for (const email of [user.email.toUpperCase(), disabled.email, nobody]) {
      answers.push(await api.client().post('/api/auth/forgot-password', { email }));
      await answerForgotten(api.deps, { email: email.toLowerCase(), ip: '::1', requestId: 'x' });
    }
    assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assert.ok((await kinds(user.email)).includes('reset-password'));
    assert.ok(!(await kinds(disabled.email)).includes('reset-password'));
    assert.deepEqual(await kinds(nobody), []);
  });

  it('202: leaves one job whoever it is for, which posts the letter', async () => {
    const there = await startTestApi({ after }, { features: [audit, auth], jobs: true });
    const { user } = await there.asMember();
    await there.client().post('/api/auth/forgot-password', { email: user.email });
    for (let waited = 0; waited < 100; waited += 1) {
      const letters = await lettersTo(there, user.email);
      if (letters.some(({ kind }) => kind === 'reset-password')) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.fail('No letter came.');
  });

  it('posts at most one letter a minute', async () => {
    const { user } = await api.asMember();
    await Promise.all([forget(user.email), forget(user.email)]);
    await forget(user.email);
    const sent = (await kinds(user.email)).filter((kind) => kind === 'reset-password');
    assert.equal(sent.length, 1);
  });

  it('422: what is no address', async () => {
    const answer = await api.client().post('/api/auth/forgot-password', { email: 'me' });
    assert.equal(answer.status, 422);
  });
});

describe('POST /api/auth/reset-password', () => {
  const reset = (token: string, password = NEW_PASSWORD, client = api.client()) =>
    client.post('/api/auth/reset-password', { token, password });

  it('204: once; all sessions end, nobody is signed in, the owner is told', async () => {
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

  it('409: of two at once one wins', async () => {
    const { user } = await api.asMember();
    await forget(user.email);
    const token = await resetToken(user.email);
    const passwords = ['the first of two crowns', 'the second of two crowns'];
    const answers = await Promise.all(passwords.map((password) => reset(token, password)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 409]);
    const winner = passwords[answers.findIndex(({ status }) => status === 204)] ?? '';
    assert.equal((await signIn(user.email, winner)).status, 200);
  });

  it('409: after 60 minutes, after a newer letter, after a change of the password', async () => {
    const there = await startTestApi({ after }, { features: [audit, auth] });
    const { client, user } = await there.asMember();
    const ask = async () => {
      await answerForgotten(there.deps, { email: user.email, ip: '::1', requestId: 'x' });
      return secretOf(there, user.email, 'reset-password');
    };
    const codeOf = async (token: string) =>
      (await reset(token, NEW_PASSWORD, there.client())).body.code;
    const first = await ask();
    there.clock.advance(MINUTE);
    const second = await ask();
    assert.equal(await codeOf(first), 'link_invalid');
    there.clock.advance(HOUR);
    assert.equal(await codeOf(second), 'link_expired');
    const third = await ask();
    const body = { current_password: PASSWORD, password: NEW_PASSWORD };
    assert.equal((await client.put('/api/user/password', body)).status, 200);
    assert.equal(await codeOf(third), 'link_invalid');
  });

  it('422: refuses bad passwords and keeps the link for a better one', async () => {
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

  it('takes off what a stranger set up on an address they never proved', async () => {
    const { user } = await api.asMember({ verified: false });
    const planted = { provider: 'google', subject: randomUUID(), user_id: user.id, email: null };
    await api.db
      .insertInto('identities')
      .values({ ...planted, last_used_at: null })
      .execute();
    await forget(user.email);
    await reset(await resetToken(user.email));
    const left = await api.db
      .selectFrom('identities')
      .selectAll()
      .where('user_id', '=', user.id)
      .execute();
    assert.deepEqual(left, []);
  });
});
