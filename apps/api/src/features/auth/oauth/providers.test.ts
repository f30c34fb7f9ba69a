/** Sign-in with Google and Facebook, against fake servers. */
import { after, describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { MINUTE } from '#kernel/clock.ts';
import {
  follow,
  isGuest,
  setOut,
  startProviderDesk,
  userOf,
  WEB,
} from '#test/factories/provider-journey.ts';
import { goThrough } from '#test/fakes/provider-peer.ts';
import { addTotp } from '#test/factories/second-factor.ts';

const { api, peers, knownTo, come } = await startProviderDesk({ after });

for (const provider of ['google', 'facebook'] as const) {
  describe(`sign-in with ${provider}`, () => {
    it('opens an account the first time and signs in to it the second time', async () => {
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

    it('identifies users by subject, also after a change of address', async () => {
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

    it('does not sign in to an account with the same unverified address', async () => {
      const { subject, email } = knownTo(provider);
      await api.asMember({ email, verified: false });
      const client = api.client();
      const place = await come(client, provider, subject, { next: '/preview' });
      assert.equal(place, '/signin?trouble=email_in_use&next=%2Fpreview');
      assert.ok(await isGuest(client));
    });

    it('does not sign in to a disabled account', async () => {
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

    it('shows that it was cancelled, and keeps the next path', async () => {
      knownTo(provider);
      const client = api.client();
      const place = await come(client, provider, 'cancel', { next: '/exchanges/EX-1' });
      assert.equal(place, '/signin?trouble=cancelled&next=%2Fexchanges%2FEX-1');
      assert.ok(await isGuest(client));
    });

    it('does not start from a foreign page', async () => {
      const client = api.client();
      for (const headers of [
        { referer: 'https://evil.test/', origin: '' },
        { origin: '', 'sec-fetch-site': 'cross-site' },
      ]) {
        const answer = await client.get(`/api/auth/${provider}/redirect`, { headers });
        assert.equal(answer.headers['location'], `${WEB}/signin?trouble=failed#`);
      }
    });

    it('answers invalid queries with a page too', async () => {
      for (const query of [
        { error: 'x'.repeat(5000), state: 's' },
        { state: 'x'.repeat(5000), code: 'c' },
      ]) {
        const answer = await api.client().get(`/api/auth/${provider}/callback`, { query });
        assert.equal(answer.headers['location'], `${WEB}/signin?trouble=failed#`);
      }
    });

    it('accepts a callback once', async () => {
      const { subject } = knownTo(provider);
      const client = api.client();
      const back = await goThrough(await setOut(client, provider), subject);
      assert.equal(await follow(client, back), '/exchanges');
      assert.equal(await follow(client, back), '/signin?trouble=expired');
      // What is open stays open.
      assert.ok(!(await isGuest(client)));
    });

    it('accepts one of two concurrent callbacks', async () => {
      const { subject } = knownTo(provider);
      const client = api.client();
      const back = await goThrough(await setOut(client, provider), subject);
      const places = await Promise.all([follow(client, back), follow(client, back)]);
      assert.deepEqual(places.toSorted(), ['/exchanges', '/signin?trouble=expired']);
    });

    it('accepts a callback only in the browser that started the flow', async () => {
      const { subject } = knownTo(provider);
      const mine = api.client();
      const back = await goThrough(await setOut(mine, provider), subject);
      const theirs = api.client();
      assert.equal(await follow(theirs, back), '/signin?trouble=expired');
      assert.ok(await isGuest(theirs));
      assert.equal(await follow(mine, back), '/exchanges');
    });

    it('accepts a callback for ten minutes, with the state and the provider of the flow', async () => {
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

    it('refuses a code of another flow', async () => {
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

    it('starts each flow with a random state and random secrets', async () => {
      const client = api.client();
      const first = new URL(await setOut(client, provider)).searchParams;
      const second = new URL(await setOut(client, provider)).searchParams;
      const made = ['state', 'code_challenge', ...(provider === 'google' ? ['nonce'] : [])];
      for (const name of made) {
        const [one = '', other = ''] = [first.get(name) ?? '', second.get(name) ?? ''];
        assert.ok(one.length >= 40 && other.length >= 40, name);
        assert.notEqual(one, other, name);
      }
    });

    it('asks for the second factor', async () => {
      const { subject } = knownTo(provider);
      const client = api.client();
      await come(client, provider, subject);
      await addTotp(client, api.clock.now());
      const again = api.client();
      const place = await come(again, provider, subject, { next: '/preview' });
      assert.equal(place, '/two-factor?next=%2Fpreview');
      assert.ok(await isGuest(again));
    });

    it('opens one account for two concurrent callbacks', async () => {
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

    it('shows that the provider is down, and works again when it is up', async () => {
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

describe('sign-in with a provider', () => {
  it('needs only one connection', { timeout: 30_000 }, async (t) => {
    const narrow = await startProviderDesk(t, { poolSize: 1 });
    const { subject } = narrow.knownTo('google');
    assert.equal(await narrow.come(narrow.api.client(), 'google', subject), '/exchanges');
  });
});
