/** Listing and ending sessions, and the email about a new one. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import { PASSWORD, type Client } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { emailsTo } from '#test/factories/emails.ts';
import { audit } from '#features/audit/routes.ts';
import { auth } from '../routes.ts';

const api = await startTestApi({ after }, { features: [audit, auth] });
const isIn = async (client: Client) => (await client.get('/api/user')).status === 200;

describe('sessions that are looked up at the same moment', () => {
  it('are one query, and each request has its own', async (t) => {
    const members = await Promise.all([api.asMember(), api.asMember(), api.asMember()]);
    const asked = t.mock.method(api.deps.db, 'executeQuery');
    const answers = await Promise.all(
      [...members.map(({ client }) => client), api.client()].map((who) => who.get('/api/user')),
    );
    assert.deepEqual(
      answers.map(({ status, body }) => (status === 200 ? body.id : status)),
      [...members.map(({ user }) => user.id), 401],
    );
    assert.equal(asked.mock.callCount(), 1);
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

  it('are listed with device, address and time, the current one first, without those of other users', async () => {
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

  it('are fifty at most: the next sign-in ends the oldest', async () => {
    const { client, user } = await api.asMember();
    const now = api.clock.now().getTime();
    const rows = Array.from({ length: 49 }, (_, index) => ({
      id_hash: randomBytes(32),
      user_id: user.id,
      ip: null,
      user_agent: null,
      created_at: new Date(now + index + 1),
    }));
    await api.db.insertInto('sessions').values(rows).execute();
    assert.equal(await isIn(client), true);
    api.clock.advance(MINUTE);
    const newest = await signInFrom(user.email, FIREFOX);
    assert.equal(await isIn(client), false);
    assert.equal((await newest.get('/api/user/sessions')).body.data.length, 50);
  });

  it('end one by one, also the current one; another user’s is 404', async () => {
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

  it('end all at once except the current one', async () => {
    const { client, user } = await api.asMember();
    const other = await signInFrom(user.email, FIREFOX);
    assert.equal((await client.delete('/api/user/sessions')).status, 204);
    assert.equal(await isIn(client), true);
    assert.equal(await isIn(other), false);
  });

  it('send one email when they start in a new browser', async () => {
    const { client, user } = await api.asMember();
    const browser = await signInFrom(user.email, FIREFOX);
    for (const known of [browser, client]) await known.signIn(user.email);
    const sent = (await emailsTo(api, user.email)).filter(({ kind }) => kind === 'new-sign-in');
    assert.equal(sent.length, 1);
    assert.match(JSON.stringify(sent[0]?.data), /Firefox on Linux/);
  });
});
