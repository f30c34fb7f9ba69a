/** The user’s own profile, password and address, and confirming the identity. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { PASSWORD, type Client } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { emailsTo, secretOf } from '#test/factories/emails.ts';
import { audit } from '#features/audit/routes.ts';
import { auth } from '../routes.ts';

const api = await startTestApi({ after }, { features: [audit, auth] });
const NEW_PASSWORD = 'a purse full of crowns';
const newEmail = () => `${randomUUID()}@example.com`;
const kinds = async (email: string) => (await emailsTo(api, email)).map(({ kind }) => kind);
const signIn = (email: string, password: string, client = api.client()) =>
  client.post('/api/auth/signin', { email, password });
const isIn = async (client: Client) => (await client.get('/api/user')).status === 200;

describe('PATCH /api/user', () => {
  it('200: changes name and language, and says what changed in the log', async () => {
    const { client, user } = await api.asMember();
    const answer = await client.patch('/api/user', { name: ' Zoë Marlow ', locale: 'de' });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body.data, { ...user, name: 'Zoë Marlow', locale: 'de' });
    assert.equal((await client.patch('/api/user', {})).status, 200);
    const events = await api.db
      .selectFrom('audit_events')
      .select(['subject_id', 'data'])
      .where('actor_id', '=', user.id)
      .where('action', '=', 'auth.profile_changed')
      .execute();
    // Only which fields changed, not their values: the log is never deleted.
    assert.deepEqual(events, [{ subject_id: user.id, data: { changed: ['name', 'locale'] } }]);
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

  it('200: the browser continues with a new cookie; the old cookie and all other sessions end', async () => {
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

  it('422: without the current password, with a wrong one, with a bad new one or the same', async () => {
    const { client } = await api.asMember();
    assert.ok((await change(client)).body.errors.current_password);
    assert.ok((await change(client, 'wrong')).body.errors.current_password);
    assert.ok((await change(client, PASSWORD, 'password1')).body.errors.password);
    const same = await change(client, PASSWORD, PASSWORD);
    assert.match(same.body.errors.password[0], /your current password/);
    assert.equal((await change(client, PASSWORD)).status, 200);
  });

  it('422: only one of two concurrent changes succeeds', async () => {
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

  it('202: the old address stays until the new one is confirmed, which ends other sessions', async () => {
    const { client, user } = await api.asMember();
    const other = api.client();
    await other.signIn(user.email);
    const email = newEmail();
    const answer = await ask(client, email.toUpperCase());
    assert.equal(answer.status, 202);
    assert.equal(answer.body.data.email, user.email);
    assert.equal(answer.body.data.pending_email, email);
    assert.ok((await kinds(user.email)).includes('address-change-asked'), 'The old one is warned.');
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

  it('409: refuses an address taken meanwhile, and a link to a cancelled change', async () => {
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

  it('202: answers the same for an address that has an account, whose owner gets an email instead', async () => {
    const { client, user } = await api.asMember();
    const { client: theirs, user: owner } = await api.asMember();
    const free = await ask((await api.asMember()).client, newEmail());
    const answer = await ask(client, owner.email);
    assert.equal(answer.status, free.status);
    assert.deepEqual(Object.keys(answer.body.data), Object.keys(free.body.data));
    assert.equal(answer.body.data.pending_email, owner.email);
    assert.ok((await kinds(user.email)).includes('address-change-asked'));
    assert.deepEqual(await kinds(owner.email), ['verify-address', 'address-has-account']);
    // Once more changes nothing either: there is no link that could be followed.
    api.clock.advance(2 * MINUTE);
    assert.equal((await client.post('/api/auth/email/verification-notification', {})).status, 202);
    const sent = (await kinds(owner.email)).filter((kind) => kind === 'address-has-account');
    assert.equal(sent.length, 2);
    assert.ok(!(await kinds(owner.email)).includes('verify-new-address'));
    api.clock.advance(-2 * MINUTE);
    assert.equal((await theirs.get('/api/user')).body.email, owner.email);
  });

  it('422: a wrong password; 429: within a minute', async () => {
    const { client } = await api.asMember();
    assert.ok((await ask(client, newEmail(), 'wrong')).body.errors.current_password);
    assert.equal((await ask(client, newEmail())).status, 202);
    assert.equal((await ask(client, newEmail())).status, 429);
  });

  it('202: corrects a mistyped address at once; 429: for each later change, cancelled or not', async () => {
    const there = await startTestApi({ after }, { features: [audit, auth] });
    const { client, user } = await there.asMember({ verified: false });
    const change = (email: string) =>
      client.put('/api/user/email', { email, current_password: PASSWORD });
    const again = () => client.post('/api/auth/email/verification-notification');
    assert.equal((await again()).status, 429, 'The same address waits.');
    there.clock.advance(SECOND);
    const right = newEmail();
    assert.equal((await change(right)).status, 202);
    const [message] = await emailsTo(there, right);
    assert.equal(message?.kind, 'verify-new-address');
    there.clock.advance(SECOND);
    assert.equal((await change(newEmail())).status, 429);
    assert.equal((await change(user.email)).body.data.pending_email, null);
    assert.equal((await change(newEmail())).status, 429, 'To take it back opens no other.');
    there.clock.advance(MINUTE);
    assert.equal((await change(newEmail())).status, 202);
    assert.equal((await change(newEmail())).status, 429);
  });

  it('202: only one of two concurrent corrections succeeds', async () => {
    const there = await startTestApi({ after }, { features: [audit, auth] });
    const { client } = await there.asMember({ verified: false });
    there.clock.advance(SECOND);
    const answers = await Promise.all(
      [newEmail(), newEmail()].map((email) =>
        client.put('/api/user/email', { email, current_password: PASSWORD }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [202, 429]);
  });

  it('403: needs the password or a recent sign-in', async () => {
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
