/** What is believed of that which Google and Facebook say, and what is not. */
import { after, describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { emailsTo, secretOf } from '#test/factories/emails.ts';
import {
  actionsOf,
  follow,
  isGuest,
  setOut,
  startProviderDesk,
  userOf,
  WEB,
} from '#test/factories/provider-journey.ts';
import { goThrough } from '#test/fakes/provider-peer.ts';
import { isEmailVerified } from './clients.ts';

const { api, peers, knownTo, come } = await startProviderDesk({ after });

describe('what Google says of an address', () => {
  it('joins the account that has proved it too, and tells its owner', async () => {
    const { subject, email } = knownTo('google');
    const { user } = await api.asMember({ email });
    const client = api.client();
    assert.equal(await come(client, 'google', subject), '/exchanges');
    assert.equal((await userOf(client)).id, user.id);
    const kinds = (await emailsTo(api, email)).map(({ kind }) => kind);
    assert.ok(kinds.includes('provider-linked'));
    assert.ok((await actionsOf(api, user.id)).includes('auth.provider_linked'));
  });

  it('proves a new account of its own addresses and no others', async () => {
    const own = knownTo('google');
    const client = api.client();
    await come(client, 'google', own.subject);
    assert.notEqual((await userOf(client)).email_verified_at, null);
    const foreign = knownTo('google', { email: `${randomUUID()}@example.com` });
    const other = api.client();
    const next = '/preview?pair=a&amount=1';
    await come(other, 'google', foreign.subject, { next });
    assert.equal((await userOf(other)).email_verified_at, null);
    // The email that proves it leads on to where the person was going.
    const token = await secretOf(api, foreign.email, 'verify-address');
    const proved = await other.post('/api/auth/verify-email', { token });
    assert.deepEqual(proved.body, { data: { email: foreign.email, next } });
    const [letter] = await emailsTo(api, foreign.email);
    assert.equal(letter?.kind, 'verify-address');
  });

  it("does not join an account by another host's address", async () => {
    const { subject, email } = knownTo('google', { email: `${randomUUID()}@example.com` });
    await api.asMember({ email });
    assert.equal(await come(api.client(), 'google', subject), '/signin?trouble=email_in_use');
  });

  it('counts by host, or by the organisation that Google runs', () => {
    const says = (email: unknown, verified: unknown, hd?: unknown) =>
      isEmailVerified({ email, email_verified: verified, hd });
    assert.ok(says('Mara@GMail.com', true));
    assert.ok(says('mara@firm.example', true, 'firm.example'));
    assert.ok(!says('mara@firm.example', true));
    assert.ok(!says('mara@gmail.com', false));
    assert.ok(!says('mara@gmail.com', 'true'));
    assert.ok(!says('mara@gmail.com.evil.test', true));
    assert.ok(!says(undefined, true, 'firm.example'));
  });

  it('is refused with a signature that is not its own', async () => {
    const { subject } = knownTo('google');
    const client = api.client();
    peers.google.spoilNextSignature();
    assert.equal(await come(client, 'google', subject), '/signin?trouble=failed');
    assert.ok(await isGuest(client));
  });

  it('does not lead into the desk of an admin who has the address', async () => {
    const { subject, email } = knownTo('google');
    const { user } = await api.asAdmin({ email });
    const email_verified_at = api.clock.now();
    await api.db
      .updateTable('users')
      .set({ email_verified_at })
      .where('id', '=', user.id)
      .execute();
    assert.equal(await come(api.client(), 'google', subject), '/signin?trouble=email_in_use');
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
    assert.equal((await emailsTo(api, email))[0]?.kind, 'verify-address');
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
