/** Sign-in with Google and Facebook, against servers that speak as they do. */
import { after, describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { MINUTE } from '#kernel/clock.ts';
import { PASSWORD, type Answer, type Client } from '../../../test/client.ts';
import { startFacebook } from '../../../test/facebook.ts';
import { startTestApi } from '../../../test/harness.ts';
import { lettersTo } from '../../../test/letters.ts';
import { startOpenIdProvider } from '../../../test/openid-provider.ts';
import { goThrough, type Account } from '../../../test/provider-peer.ts';
import { addPasskey, addTotp } from '../../../test/second-factor.ts';
import { isVouchedFor } from './provider-clients.ts';

type Provider = 'google' | 'facebook';

const WEB = 'http://localhost:4000';
const API = 'http://localhost:8000';

const callback = (name: Provider) => [`${API}/api/auth/${name}/callback`];
const peers = {
  google: await startOpenIdProvider({ after }, { accounts: [], redirectUris: callback('google') }),
  facebook: await startFacebook({ after }, { accounts: [], redirectUris: callback('facebook') }),
};
const api = await startTestApi(
  { after },
  { env: { ...peers.google.environment, ...peers.facebook.environment } },
);

/** Somebody whom the provider knows. */
function knownTo(provider: Provider, about: Partial<Account> = {}): Account & { email: string } {
  const subject = randomUUID();
  const account = {
    subject,
    name: 'Mara Lindqvist',
    email: `${subject}@gmail.com`,
    email_verified: true,
    ...about,
  };
  peers[provider].accounts.set(subject, account);
  return account;
}

/** A press on the button; answers the provider's address. */
async function setOut(client: Client, provider: Provider, query: Record<string, string> = {}) {
  const answer = await client.get(`/api/auth/${provider}/redirect`, { query });
  assert.equal(answer.status, 302, answer.text);
  return String(answer.headers['location']);
}

/** The browser comes from the provider's page. */
async function follow(client: Client, back: URL): Promise<string> {
  const answer = await client.get(back.pathname + back.search, {
    headers: { referer: 'https://accounts.google.com/', origin: '' },
  });
  assert.equal(answer.status, 302, answer.text);
  assert.equal(answer.headers['cache-control'], 'no-store');
  return String(answer.headers['location']).replace(WEB, '').replace(/#$/, '');
}

async function come(
  client: Client,
  provider: Provider,
  choice: string,
  query: Record<string, string> = {},
): Promise<string> {
  return follow(client, await goThrough(await setOut(client, provider, query), choice));
}

const userOf = async (client: Client) => (await client.get('/api/user')).body;
const isGuest = async (client: Client) => (await client.get('/api/user')).status === 401;

async function actionsOf(userId: string): Promise<string[]> {
  const rows = await api.db
    .selectFrom('audit_events')
    .select('action')
    .where('subject_id', '=', userId)
    .execute();
  return rows.map(({ action }) => action);
}

for (const provider of ['google', 'facebook'] as const) {
  describe(`sign-in with ${provider}`, () => {
    it('opens an account at the first time and comes to it at the second', async () => {
      const { subject, email } = knownTo(provider);
      const first = api.client();
      assert.equal(await come(first, provider, subject), '/exchanges');
      const user = await userOf(first);
      assert.deepEqual(
        [user.name, user.email, user.has_password],
        ['Mara Lindqvist', email, false],
      );
      const second = api.client();
      assert.equal(await come(second, provider, subject, { next: '/account?a=1' }), '/account?a=1');
      assert.equal((await userOf(second)).id, user.id);
      const { body } = await second.get('/api/user/identities');
      assert.deepEqual(
        body.data.map((each: { provider: string; email: string }) => [each.provider, each.email]),
        [[provider, email]],
      );
    });

    it('knows people by subject, whatever their address has become', async () => {
      const account = knownTo(provider);
      const client = api.client();
      await come(client, provider, account.subject);
      const { id } = await userOf(client);
      peers[provider].accounts.set(account.subject, { ...account, email: `new-${account.email}` });
      const again = api.client();
      await come(again, provider, account.subject);
      assert.deepEqual(
        [(await userOf(again)).id, (await userOf(again)).email],
        [id, account.email],
      );
    });

    it('leads nobody into an account that has the address and has not proved it', async () => {
      const { subject, email } = knownTo(provider);
      await api.asMember({ email, verified: false });
      const client = api.client();
      const place = await come(client, provider, subject, { next: '/preview' });
      assert.equal(place, '/signin?trouble=email_in_use&next=%2Fpreview');
      assert.ok(await isGuest(client));
    });

    it('leads nobody into an account that was disabled', async () => {
      const { subject } = knownTo(provider);
      const client = api.client();
      await come(client, provider, subject);
      const { id } = await userOf(client);
      await api.db
        .updateTable('users')
        .set({ disabled_at: api.clock.now() })
        .where('id', '=', id)
        .execute();
      const again = api.client();
      assert.equal(await come(again, provider, subject), '/signin?trouble=disabled');
      assert.ok(await isGuest(again));
    });

    it('says so when it was cancelled, and keeps where one was going', async () => {
      knownTo(provider);
      const client = api.client();
      const place = await come(client, provider, 'cancel', { next: '/exchanges/EX-1' });
      assert.equal(place, '/signin?trouble=cancelled&next=%2Fexchanges%2FEX-1');
      assert.ok(await isGuest(client));
    });

    it('takes a callback once', async () => {
      const { subject } = knownTo(provider);
      const client = api.client();
      const back = await goThrough(await setOut(client, provider), subject);
      assert.equal(await follow(client, back), '/exchanges');
      assert.equal(await follow(client, back), '/signin?trouble=expired');
      // What is open stays open.
      assert.ok(!(await isGuest(client)));
    });

    it('takes a callback once of two at the same time', async () => {
      const { subject } = knownTo(provider);
      const client = api.client();
      const back = await goThrough(await setOut(client, provider), subject);
      const places = await Promise.all([follow(client, back), follow(client, back)]);
      assert.deepEqual(places.toSorted(), ['/exchanges', '/signin?trouble=expired']);
    });

    it('takes a callback in the browser that set out, and leaves it good for that one', async () => {
      const { subject } = knownTo(provider);
      const mine = api.client();
      const back = await goThrough(await setOut(mine, provider), subject);
      const theirs = api.client();
      assert.equal(await follow(theirs, back), '/signin?trouble=expired');
      assert.ok(await isGuest(theirs));
      assert.equal(await follow(mine, back), '/exchanges');
    });

    it('takes a callback for ten minutes, with the state and at the provider of its departure', async () => {
      const { subject } = knownTo(provider);
      const client = api.client();
      const other = provider === 'google' ? 'facebook' : 'google';
      const back = await goThrough(await setOut(client, provider), subject);
      const elsewhere = new URL(back.href.replace(`/${provider}/`, `/${other}/`));
      assert.equal(await follow(client, elsewhere), '/signin?trouble=expired');
      const changed = new URL(back);
      changed.searchParams.set('state', 'x'.repeat(43));
      assert.equal(await follow(client, changed), '/signin?trouble=expired');
      changed.searchParams.delete('state');
      assert.equal(await follow(client, changed), '/signin?trouble=expired');
      api.clock.advance(10 * MINUTE);
      assert.equal(await follow(client, back), '/signin?trouble=expired');
      assert.ok(await isGuest(client));
    });

    it('refuses a code that was meant for another departure', async () => {
      const { subject } = knownTo(provider);
      const thief = api.client();
      const victim = api.client();
      const stolen = await goThrough(await setOut(victim, provider), subject);
      const own = await goThrough(await setOut(thief, provider), subject);
      own.searchParams.set('code', stolen.searchParams.get('code') ?? '');
      // PKCE: the code opens only with the verifier that its departure was made with.
      assert.equal(await follow(thief, own), '/signin?trouble=failed');
      assert.ok(await isGuest(thief));
    });

    it('asks for the second factor all the same', async () => {
      const { subject } = knownTo(provider);
      const client = api.client();
      await come(client, provider, subject);
      await addTotp(client, api.clock.now());
      const again = api.client();
      const place = await come(again, provider, subject, { next: '/preview' });
      assert.equal(place, '/two-factor?methods=totp+recovery_code&next=%2Fpreview');
      assert.ok(await isGuest(again));
    });

    it('opens one account for two browsers that come at once', async () => {
      const { subject, email } = knownTo(provider);
      const clients = [api.client(), api.client()];
      const backs = await Promise.all(
        clients.map(async (client) => goThrough(await setOut(client, provider), subject)),
      );
      const places = await Promise.all(
        clients.map((client, index) => follow(client, backs[index] ?? assert.fail())),
      );
      assert.deepEqual(places, ['/exchanges', '/exchanges']);
      const users = await api.db
        .selectFrom('users')
        .select('id')
        .where('email', '=', email)
        .execute();
      assert.equal(users.length, 1);
    });

    it('says when the provider is down, and goes on when it is up again', async () => {
      const { subject } = knownTo(provider);
      const client = api.client();
      const back = await goThrough(await setOut(client, provider), subject);
      peers[provider].condition = 'down';
      try {
        assert.equal(await follow(client, back), '/signin?trouble=unavailable');
      } finally {
        peers[provider].condition = 'up';
      }
      assert.equal(await come(client, provider, subject), '/exchanges');
    });
  });
}

describe('what Google says of an address', () => {
  it('joins the account that has proved it too, and tells its owner', async () => {
    const { subject, email } = knownTo('google');
    const { user } = await api.asMember({ email });
    const client = api.client();
    assert.equal(await come(client, 'google', subject), '/exchanges');
    assert.equal((await userOf(client)).id, user.id);
    const kinds = (await lettersTo(api, email)).map(({ kind }) => kind);
    assert.ok(kinds.includes('provider-linked'));
    assert.ok((await actionsOf(user.id)).includes('auth.provider_linked'));
  });

  it('proves a new account of its own addresses and no others', async () => {
    const own = knownTo('google');
    const client = api.client();
    await come(client, 'google', own.subject);
    assert.notEqual((await userOf(client)).email_verified_at, null);
    const foreign = knownTo('google', { email: `${randomUUID()}@example.com` });
    const other = api.client();
    await come(other, 'google', foreign.subject);
    assert.equal((await userOf(other)).email_verified_at, null);
    const [letter] = await lettersTo(api, foreign.email);
    assert.equal(letter?.kind, 'verify-address');
  });

  it("does not join an account by another host's address", async () => {
    const { subject, email } = knownTo('google', { email: `${randomUUID()}@example.com` });
    await api.asMember({ email });
    assert.equal(await come(api.client(), 'google', subject), '/signin?trouble=email_in_use');
  });

  it('counts by host, or by the organisation that Google runs', () => {
    const says = (email: unknown, verified: unknown, hd?: unknown) =>
      isVouchedFor({ email, email_verified: verified, hd });
    assert.ok(says('Mara@GMail.com', true));
    assert.ok(says('mara@firm.example', true, 'firm.example'));
    assert.ok(!says('mara@firm.example', true));
    assert.ok(!says('mara@gmail.com', false));
    assert.ok(!says('mara@gmail.com', 'true'));
    assert.ok(!says('mara@gmail.com.evil.test', true));
    assert.ok(!says(undefined, true, 'firm.example'));
  });

  it('is refused with a nonce that nobody asked for', async () => {
    const { subject } = knownTo('google');
    const client = api.client();
    peers.google.spoilNextNonce();
    assert.equal(await come(client, 'google', subject), '/signin?trouble=failed');
    assert.ok(await isGuest(client));
  });
});

describe('a provider that takes a call and says nothing', () => {
  it('counts as down', async () => {
    const { subject } = knownTo('facebook');
    const client = api.client();
    const back = await goThrough(await setOut(client, 'facebook'), subject);
    peers.facebook.condition = 'hanging';
    try {
      assert.equal(await follow(client, back), '/signin?trouble=unavailable');
    } finally {
      peers.facebook.condition = 'up';
    }
  });
});

describe('what Facebook says of an address', () => {
  it('counts as unproved', async () => {
    const { subject, email } = knownTo('facebook');
    const client = api.client();
    await come(client, 'facebook', subject);
    assert.equal((await userOf(client)).email_verified_at, null);
    assert.equal((await lettersTo(api, email))[0]?.kind, 'verify-address');
    const namesake = knownTo('facebook');
    await api.asMember({ email: namesake.email });
    const place = await come(api.client(), 'facebook', namesake.subject);
    assert.equal(place, '/signin?trouble=email_in_use');
  });

  it('may be nothing, and then there is no account', async () => {
    const subject = randomUUID();
    peers.facebook.accounts.set(subject, { subject, name: 'No Address' });
    assert.equal(await come(api.client(), 'facebook', subject), '/signin?trouble=no_email');
  });

  it('does not carry its fragment on', async () => {
    const { subject } = knownTo('facebook');
    const client = api.client();
    const back = await goThrough(await setOut(client, 'facebook'), subject);
    const answer = await client.get(back.pathname + back.search);
    assert.equal(answer.headers['location'], `${WEB}/exchanges#`);
  });
});

describe('linking', () => {
  const intent = { intent: 'link', next: '/account' };
  const ledHere = (client: Client, provider: Provider): Promise<Answer> =>
    client.get(`/api/auth/${provider}/redirect`, {
      query: intent,
      headers: { referer: `${WEB}/account` },
    });

  it('adds a provider to the account, whatever address it has there', async () => {
    const { client, user } = await api.asMember();
    const { subject } = knownTo('facebook');
    assert.equal(await come(client, 'facebook', subject, intent), '/account');
    const again = api.client();
    await come(again, 'facebook', subject);
    assert.equal((await userOf(again)).id, user.id);
    assert.ok((await actionsOf(user.id)).includes('auth.provider_linked'));
    const kinds = (await lettersTo(api, user.email)).map(({ kind }) => kind);
    assert.ok(kinds.includes('provider-linked'));
    // Once more changes nothing.
    assert.equal(await come(client, 'facebook', subject, intent), '/account');
  });

  it('wants a fresh confirmation', async () => {
    const { client } = await api.asMember();
    api.clock.advance(10 * MINUTE);
    const answer = await ledHere(client, 'google');
    assert.equal(answer.headers['location'], `${WEB}/account?trouble=confirmation_required#`);
    await client.post('/api/user/confirmation', { password: PASSWORD });
    assert.match(String((await ledHere(client, 'google')).headers['location']), /^http:\/\/127/);
  });

  it('is for those who are signed in', async () => {
    const answer = await ledHere(api.client(), 'google');
    assert.equal(answer.headers['location'], `${WEB}/account?trouble=confirmation_required#`);
  });

  for (const headers of [
    { referer: 'https://evil.test/', origin: '' },
    { referer: `https://evil.test/${WEB}`, origin: '' },
  ]) {
    it(`is not begun from ${headers.referer}`, async () => {
      const { client } = await api.asMember();
      const answer = await client.get('/api/auth/google/redirect', { query: intent, headers });
      assert.equal(answer.headers['location'], `${WEB}/account?trouble=failed#`);
    });
  }

  it('is refused for whoever is linked elsewhere', async () => {
    const { subject } = knownTo('google');
    await come(api.client(), 'google', subject);
    const { client } = await api.asMember();
    const place = await come(client, 'google', subject, intent);
    assert.equal(place, '/account?trouble=already_linked');
    assert.deepEqual((await client.get('/api/user/identities')).body.data, []);
  });

  it('is refused for a second person of the same provider', async () => {
    const { client } = await api.asMember();
    assert.equal(await come(client, 'google', knownTo('google').subject, intent), '/account');
    const place = await come(client, 'google', knownTo('google').subject, intent);
    assert.equal(place, '/account?trouble=already_linked');
  });

  it('goes to the account that set out, not to the one that is signed in by then', async () => {
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
  it('is refused for the last way in, and allowed beside a passkey', async () => {
    const { subject, email } = knownTo('google');
    const client = api.client();
    await come(client, 'google', subject);
    const refused = await client.delete('/api/user/identities/google');
    assert.deepEqual([refused.status, refused.body.code], [409, 'last_way_in']);
    await addPasskey(client);
    assert.equal((await client.delete('/api/user/identities/google')).status, 204);
    assert.equal((await client.delete('/api/user/identities/google')).status, 404);
    const kinds = (await lettersTo(api, email)).map(({ kind }) => kind);
    assert.ok(kinds.includes('provider-unlinked'));
  });

  it('of two at once never takes both of the last two ways', async () => {
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

  it('wants a fresh confirmation', async () => {
    const { client } = await api.asMember();
    await come(client, 'google', knownTo('google').subject, { intent: 'link' });
    api.clock.advance(10 * MINUTE);
    const answer = await client.delete('/api/user/identities/google');
    assert.deepEqual([answer.status, answer.body.code], [403, 'confirmation_required']);
  });
});

describe('providers that are set up', () => {
  it('are listed', async () => {
    const { body } = await api.client().get('/api/auth/providers');
    assert.deepEqual(body.data, [
      { provider: 'google', label: 'Google' },
      { provider: 'facebook', label: 'Facebook' },
    ]);
  });

  it('may be set up by the settings, in all their parts', async () => {
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
    assert.ok(answer.status === 404 || answer.status === 422, String(answer.status));
  });
});
