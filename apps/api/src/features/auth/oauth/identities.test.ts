/** Linking and unlinking providers, and the list of providers. */
import { after, describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { MINUTE } from '#kernel/clock.ts';
import { PASSWORD, type Answer, type Client } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { emailsTo } from '#test/factories/emails.ts';
import {
  actionsOf,
  follow,
  setOut,
  startProviderDesk,
  userOf,
  WEB,
  type ProviderName,
} from '#test/factories/provider-journey.ts';
import { goThrough } from '#test/fakes/provider-peer.ts';
import { addPasskey } from '#test/factories/second-factor.ts';

const { api, knownTo, come } = await startProviderDesk({ after });

describe('linking', () => {
  const intent = { intent: 'link', next: '/account' };
  const ledHere = (client: Client, provider: ProviderName): Promise<Answer> =>
    client.get(`/api/auth/${provider}/redirect`, {
      query: intent,
      headers: { referer: `${WEB}/account` },
    });

  it('adds a provider to the account, whatever its address', async () => {
    const { client, user } = await api.asMember();
    const { subject } = knownTo('facebook');
    assert.equal(await come(client, 'facebook', subject, intent), '/account');
    const again = api.client();
    await come(again, 'facebook', subject);
    assert.equal((await userOf(again)).id, user.id);
    assert.ok((await actionsOf(api, user.id)).includes('auth.provider_linked'));
    const kinds = (await emailsTo(api, user.email)).map(({ kind }) => kind);
    assert.ok(kinds.includes('provider-linked'));
    // Once more changes nothing.
    assert.equal(await come(client, 'facebook', subject, intent), '/account');
  });

  it('needs a fresh confirmation', async () => {
    const { client } = await api.asMember();
    api.clock.advance(10 * MINUTE);
    const answer = await ledHere(client, 'google');
    assert.equal(answer.headers['location'], `${WEB}/account?trouble=confirmation_required#`);
    await client.post('/api/user/confirmation', { password: PASSWORD });
    assert.match(String((await ledHere(client, 'google')).headers['location']), /^http:\/\/127/);
  });

  it('needs a session', async () => {
    const answer = await ledHere(api.client(), 'google');
    assert.equal(answer.headers['location'], `${WEB}/account?trouble=confirmation_required#`);
  });

  it('starts in a browser that sends Sec-Fetch-Site without a Referer', async () => {
    const { client } = await api.asMember();
    const from = async (site: string) => {
      const headers = { origin: '', 'sec-fetch-site': site };
      const answer = await client.get('/api/auth/google/redirect', { query: intent, headers });
      return String(answer.headers['location']);
    };
    assert.match(await from('same-site'), /^http:\/\/127/);
    for (const site of ['none', 'cross-site']) {
      assert.equal(await from(site), `${WEB}/account?trouble=failed#`);
    }
  });

  for (const headers of [
    { referer: 'https://evil.test/', origin: '' },
    { referer: `https://evil.test/${WEB}`, origin: '' },
  ]) {
    it(`does not start from ${headers.referer}`, async () => {
      const { client } = await api.asMember();
      const answer = await client.get('/api/auth/google/redirect', { query: intent, headers });
      assert.equal(answer.headers['location'], `${WEB}/account?trouble=failed#`);
    });
  }

  it('is refused for an identity that is linked to another account', async () => {
    const { subject } = knownTo('google');
    await come(api.client(), 'google', subject);
    const { client } = await api.asMember();
    const place = await come(client, 'google', subject, intent);
    assert.equal(place, '/account?trouble=already_linked');
    assert.deepEqual((await client.get('/api/user/identities')).body.data, []);
  });

  it('is refused for a second identity of the same provider', async () => {
    const { client } = await api.asMember();
    assert.equal(await come(client, 'google', knownTo('google').subject, intent), '/account');
    const place = await come(client, 'google', knownTo('google').subject, intent);
    assert.equal(place, '/account?trouble=already_linked');
  });

  it('by a verified address ends all other sessions', async () => {
    const known = knownTo('google');
    const { client, user } = await api.asMember({ email: known.email });
    const newcomer = api.client();
    await come(newcomer, 'google', known.subject);
    assert.equal((await userOf(newcomer)).id, user.id);
    assert.equal((await client.get('/api/user')).status, 401);
  });

  it('fails for another account than the one that started the flow', async () => {
    const { client, user } = await api.asMember();
    const { subject } = knownTo('google');
    const back = await goThrough(await setOut(client, 'google', intent), subject);
    await client.post('/api/auth/signout');
    const other = await api.asMember();
    await client.signIn(other.user.email);
    assert.equal(await follow(client, back), '/signin?trouble=expired');
    for (const { id } of [user, other.user]) {
      const rows = await api.db
        .selectFrom('identities')
        .selectAll()
        .where('user_id', '=', id)
        .execute();
      assert.deepEqual(rows, []);
    }
  });
});

describe('unlinking', () => {
  it('is refused for the last way to sign in, and allowed beside a passkey', async () => {
    const { subject, email } = knownTo('google');
    const client = api.client();
    await come(client, 'google', subject);
    const refused = await client.delete('/api/user/identities/google');
    assert.deepEqual([refused.status, refused.body.code], [409, 'last_way_in']);
    await addPasskey(client);
    assert.equal((await client.delete('/api/user/identities/google')).status, 204);
    assert.equal((await client.delete('/api/user/identities/google')).status, 404);
    const kinds = (await emailsTo(api, email)).map(({ kind }) => kind);
    assert.ok(kinds.includes('provider-unlinked'));
  });

  it('never removes both of the last two ways at the same time', async () => {
    const { client } = await api.asMember();
    for (const provider of ['google', 'facebook'] as const) {
      await come(client, provider, knownTo(provider).subject, { intent: 'link' });
    }
    const { id } = await userOf(client);
    await api.db.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute();
    const answers = await Promise.all([
      client.delete('/api/user/identities/google'),
      client.delete('/api/user/identities/facebook'),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 409]);
  });

  it('needs a fresh confirmation', async () => {
    const { client } = await api.asMember();
    await come(client, 'google', knownTo('google').subject, { intent: 'link' });
    api.clock.advance(10 * MINUTE);
    const answer = await client.delete('/api/user/identities/google');
    assert.deepEqual([answer.status, answer.body.code], [403, 'confirmation_required']);
  });
});

describe('configured providers', () => {
  it('are listed', async () => {
    const { body } = await api.client().get('/api/auth/providers');
    assert.deepEqual(body.data, [
      { provider: 'google', label: 'Google' },
      { provider: 'facebook', label: 'Facebook' },
    ]);
  });

  it('can be configured in the settings', async () => {
    const bare = await startTestApi({ after });
    const { client } = await bare.asAdmin();
    const offered = async () => (await bare.client().get('/api/auth/providers')).body.data.length;
    const value = {
      google: { enabled: true, client_id: 'desk' },
      facebook: { enabled: false, client_id: '' },
    };
    const answer = await bare.client().get('/api/auth/google/redirect');
    assert.equal(answer.headers['location'], `${WEB}/signin?trouble=unavailable#`);
    assert.equal(await offered(), 0);
    const put = await client.put('/api/admin/settings/sign-in-providers', { version: 0, value });
    assert.equal(put.status, 200, put.text);
    assert.equal(await offered(), 0);
    const secret = '/api/admin/settings/sign-in-providers/secrets/google_client_secret';
    assert.equal((await client.put(secret, { secret: 'the secret of Google' })).status, 200);
    assert.equal(await offered(), 1);
  });

  it('are the two that the specification names', async () => {
    const answer = await api.client().get('/api/auth/github/redirect');
    assert.equal(answer.headers['location'], `${WEB}/signin?trouble=failed#`);
  });
});
