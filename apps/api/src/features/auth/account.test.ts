/** One's own account: address, password, profile, sessions. Letters are read where they wait. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
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

describe('POST /api/auth/verify-email', () => {
  it('200: confirms an address, in any browser, also twice', async () => {
    const { client, user } = await api.asMember({ verified: false });
    assert.equal(user.email_verified_at, null);
    const token = await secretOf(api, user.email, 'verify-address');
    for (const browser of [api.client(), client]) {
      const answer = await browser.post('/api/auth/verify-email', { token });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.body, { data: { email: user.email } });
    }
    assert.notEqual((await client.get('/api/user')).body.email_verified_at, null);
  });

  it('409: refuses what was changed, cut or is somebody else’s signature', async () => {
    const { user } = await api.asMember({ verified: false });
    const token = await secretOf(api, user.email, 'verify-address');
    const [text = '', signature = ''] = token.split('.');
    const forged = Buffer.from(
      JSON.stringify({ user: user.id, email: user.email, expiresAt: Date.now() + DAY }),
    ).toString('base64url');
    for (const wrong of [
      'x',
      text,
      `${text}.`,
      `${text}.x`,
      `${forged}.${signature}`,
      `${token}.`,
    ]) {
      const answer = await api.client().post('/api/auth/verify-email', { token: wrong });
      assert.equal(answer.status, 409, wrong);
      assert.equal(answer.body.code, 'link_invalid');
    }
  });

  it('409: refuses an expired link', async () => {
    const there = await startTestApi({ after }, { features: [audit, auth] });
    const { user } = await there.asMember({ verified: false });
    const token = await secretOf(there, user.email, 'verify-address');
    there.clock.advance(DAY);
    const answer = await there.client().post('/api/auth/verify-email', { token });
    assert.equal(answer.body.code, 'link_expired');
  });

  it('422: without a token', async () => {
    assert.equal((await api.client().post('/api/auth/verify-email', {})).status, 422);
  });
});

describe('POST /api/auth/email/verification-notification', () => {
  it('202: once a minute, 429 before, and of two at once one', async () => {
    const there = await startTestApi({ after }, { features: [audit, auth] });
    const path = '/api/auth/email/verification-notification';
    const { client, user } = await there.asMember({ verified: false });
    const early = await client.post(path);
    assert.equal(early.status, 429);
    assert.match(String(early.headers['retry-after']), /^(60|59)$/);
    there.clock.advance(MINUTE);
    const answers = await Promise.all([client.post(path), client.post(path)]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [202, 429]);
    assert.equal((await lettersTo(there, user.email)).length, 2);
  });

  it('202: without a letter for a confirmed address; 401 for a guest', async () => {
    const { client, user } = await api.asMember();
    const path = '/api/auth/email/verification-notification';
    const before = await kinds(user.email);
    assert.equal((await client.post(path)).status, 202);
    assert.deepEqual(await kinds(user.email), before);
    assert.equal((await api.client().post(path)).status, 401);
  });
});

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

describe('PATCH /api/user', () => {
  it('200: changes name and language, and says what changed in the log', async () => {
    const { client, user } = await api.asMember();
    const answer = await client.patch('/api/user', { name: ' Zoë Marlow ', locale: 'de' });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body.data, { ...user, name: 'Zoë Marlow', locale: 'de' });
    assert.equal((await client.patch('/api/user', {})).status, 200);
  });

  it('422: by field; 401 for a guest', async () => {
    const { client } = await api.asMember();
    for (const body of [
      { name: ' ' },
      { name: 'a\u200bb' },
      { locale: 'english' },
      { role: 'admin' },
    ])
      assert.equal((await client.patch('/api/user', body)).status, 422, JSON.stringify(body));
    assert.equal((await api.client().patch('/api/user', { name: 'x' })).status, 401);
  });
});

describe('PUT /api/user/password', () => {
  const change = (client: Client, current?: string, password = NEW_PASSWORD) =>
    client.put('/api/user/password', {
      password,
      ...(current === undefined ? {} : { current_password: current }),
    });

  it('200: this browser goes on under another cookie, all others and the old cookie are out', async () => {
    const { client, user } = await api.asMember();
    const copy = api.client();
    for (const [name, value] of client.jar) copy.jar.set(name, value);
    const other = api.client();
    await other.signIn(user.email);
    assert.equal((await change(client, PASSWORD)).status, 200);
    assert.equal(await isIn(client), true);
    assert.equal(await isIn(copy), false);
    assert.equal(await isIn(other), false);
    assert.ok((await kinds(user.email)).includes('password-changed'));
    assert.equal((await signIn(user.email, NEW_PASSWORD)).status, 200);
  });

  it('422: without the current password, with a wrong one, with a bad new one', async () => {
    const { client } = await api.asMember();
    assert.ok((await change(client)).body.errors.current_password);
    assert.ok((await change(client, 'wrong')).body.errors.current_password);
    assert.ok((await change(client, PASSWORD, 'password1')).body.errors.password);
    assert.equal((await change(client, PASSWORD)).status, 200);
  });

  it('422: of two at once one wins', async () => {
    const { client, user } = await api.asMember();
    const other = api.client();
    await other.signIn(user.email);
    const answers = await Promise.all([
      change(client, PASSWORD, 'the first of two crowns'),
      change(other, PASSWORD, 'the second of two crowns'),
    ]);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });

  it('403: a first password needs a fresh confirmation', async () => {
    const there = await startTestApi({ after }, { features: [audit, auth] });
    const { client, user } = await there.asMember();
    const row = there.db.updateTable('users').where('id', '=', user.id);
    await row.set({ password_hash: null }).execute();
    there.clock.advance(10 * MINUTE);
    const late = await change(client);
    assert.equal(late.status, 403);
    assert.equal(late.body.code, 'confirmation_required');
    there.clock.advance(-MINUTE);
    assert.equal((await change(client)).body.data.has_password, true);
  });

  it('429: guesses count as at sign-in', async () => {
    const there = await startTestApi(
      { after },
      { features: [audit, auth], env: { THROTTLE_SCALE: '1' } },
    );
    there.clock.set(new Date());
    const { client } = await there.asMember();
    for (let count = 0; count < 5; count += 1)
      assert.equal((await change(client, 'wrong')).status, 422);
    assert.equal((await change(client, PASSWORD)).status, 429);
  });
});

describe('PUT /api/user/email', () => {
  const ask = (client: Client, email: string, current: string | undefined = PASSWORD) =>
    client.put('/api/user/email', {
      email,
      ...(current === undefined ? {} : { current_password: current }),
    });

  it('202: the old address stays until the new one is confirmed; then others are out', async () => {
    const { client, user } = await api.asMember();
    const other = api.client();
    await other.signIn(user.email);
    const email = newEmail();
    const answer = await ask(client, email.toUpperCase());
    assert.equal(answer.status, 202);
    assert.equal(answer.body.data.email, user.email);
    assert.equal(answer.body.data.pending_email, email);
    const token = await secretOf(api, email, 'verify-new-address');
    assert.equal((await client.post('/api/auth/verify-email', { token })).status, 200);
    assert.equal(await isIn(client), true);
    assert.equal(await isIn(other), false);
    const now = (await client.get('/api/user')).body;
    assert.deepEqual([now.email, now.pending_email], [email, null]);
    assert.ok((await kinds(user.email)).includes('address-changed'));
    assert.equal((await signIn(email, PASSWORD)).status, 200);
    assert.equal((await signIn(user.email, PASSWORD)).status, 422);
  });

  it('409: an address that somebody else took meanwhile; a link to one that is wanted no more', async () => {
    const { client } = await api.asMember();
    const email = newEmail();
    await ask(client, email);
    const token = await secretOf(api, email, 'verify-new-address');
    await api.asMember({ email });
    const taken = await client.post('/api/auth/verify-email', { token });
    assert.deepEqual([taken.status, taken.body.code], [409, 'email_taken']);
    const own = (await client.get('/api/user')).body.email;
    assert.equal((await ask(client, own)).body.data.pending_email, null);
    const dropped = await client.post('/api/auth/verify-email', { token });
    assert.equal(dropped.body.code, 'link_invalid');
  });

  it('422: a taken address, a wrong password; 429: within a minute', async () => {
    const { client } = await api.asMember();
    const { user: other } = await api.asMember();
    assert.ok((await ask(client, other.email)).body.errors.email);
    assert.ok((await ask(client, newEmail(), 'wrong')).body.errors.current_password);
    assert.equal((await ask(client, newEmail())).status, 202);
    assert.equal((await ask(client, newEmail())).status, 429);
  });

  it('403: without the password only shortly after a sign-in', async () => {
    const there = await startTestApi({ after }, { features: [audit, auth] });
    const { client } = await there.asMember();
    there.clock.advance(10 * MINUTE);
    const late = await client.put('/api/user/email', { email: newEmail() });
    assert.deepEqual([late.status, late.body.code], [403, 'confirmation_required']);
    const confirmed = await client.post('/api/user/confirmation', { password: PASSWORD });
    assert.equal(confirmed.status, 200);
    assert.equal((await client.put('/api/user/email', { email: newEmail() })).status, 202);
  });
});

describe('POST /api/user/confirmation', () => {
  it('200: by password; 422: wrong, none or two', async () => {
    const { client } = await api.asMember();
    const path = '/api/user/confirmation';
    const answer = await client.post(path, { password: PASSWORD });
    assert.equal(answer.status, 200, answer.text);
    const leftMs = new Date(answer.body.data.confirmed_until).getTime() - Date.now();
    assert.ok(leftMs > 9 * MINUTE && leftMs <= 10 * MINUTE);
    for (const body of [{ password: 'wrong' }, {}, { password: PASSWORD, code: '123456' }])
      assert.equal((await client.post(path, body)).status, 422);
    assert.equal((await api.client().post(path, { password: PASSWORD })).status, 401);
  });
});

describe('sessions', () => {
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const signInFrom = async (email: string, agent: string) => {
    const client = api.client();
    const headers = { 'user-agent': agent };
    await client.post('/api/auth/signin', { email, password: PASSWORD }, { headers });
    return client;
  };

  it('are listed with device, address and time, the one in use first, and nobody else’s', async () => {
    const { client, user } = await api.asMember();
    await api.asMember();
    await signInFrom(user.email, FIREFOX);
    const { status, body } = await client.get('/api/user/sessions');
    assert.equal(status, 200);
    assert.deepEqual(
      body.data.map(({ current }: { current: boolean }) => current),
      [true, false],
    );
    assert.equal(body.data[1].device, 'Firefox on Linux');
    assert.equal(body.data[1].ip, '127.0.0.1');
    assert.equal((await api.client().get('/api/user/sessions')).status, 401);
  });

  it('end singly, also the one in use; another’s is 404', async () => {
    const { client, user } = await api.asMember();
    const other = await signInFrom(user.email, FIREFOX);
    const { client: stranger } = await api.asMember();
    const [own, second] = (await client.get('/api/user/sessions')).body.data;
    for (const id of [second.id, randomUUID()])
      assert.equal((await stranger.delete(`/api/user/sessions/${id}`)).status, 404);
    assert.equal(await isIn(other), true);
    assert.equal((await client.delete(`/api/user/sessions/${second.id}`)).status, 204);
    assert.equal(await isIn(other), false);
    assert.equal((await client.delete(`/api/user/sessions/${second.id}`)).status, 404);
    assert.equal((await client.delete(`/api/user/sessions/${own.id}`)).status, 204);
    assert.equal(await isIn(client), false);
  });

  it('end all but the one in use', async () => {
    const { client, user } = await api.asMember();
    const other = await signInFrom(user.email, FIREFOX);
    assert.equal((await client.delete('/api/user/sessions')).status, 204);
    assert.equal(await isIn(client), true);
    assert.equal(await isIn(other), false);
  });

  it('from a new device are told of by letter, once', async () => {
    const { user } = await api.asMember();
    await signInFrom(user.email, FIREFOX);
    await signInFrom(user.email, FIREFOX);
    const news = (await kinds(user.email)).filter((kind) => kind === 'new-sign-in');
    assert.equal(news.length, 1);
  });
});
