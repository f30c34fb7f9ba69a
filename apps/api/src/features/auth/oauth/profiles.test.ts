/** Which profiles of Google and Facebook are trusted. */
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

describe('the address of a Google profile', () => {
  it('links the account that has verified it too, and emails its owner', async () => {
    const { subject, email } = knownTo('google');
    const { user } = await api.asMember({ email });
    const client = api.client();
    assert.equal(await come(client, 'google', subject), '/exchanges');
    assert.equal((await userOf(client)).id, user.id);
    const kinds = (await emailsTo(api, email)).map(({ kind }) => kind);
    assert.ok(kinds.includes('provider-linked'));
    assert.ok((await actionsOf(api, user.id)).includes('auth.provider_linked'));
  });

  it('is verified for a new account only on hosts of Google', async () => {
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
    const [message] = await emailsTo(api, foreign.email);
    assert.equal(message?.kind, 'verify-address');
  });

  it('does not link an account by an address on another host', async () => {
    const { subject, email } = knownTo('google', { email: `${randomUUID()}@example.com` });
    await api.asMember({ email });
    assert.equal(await come(api.client(), 'google', subject), '/signin?trouble=email_in_use');
  });

  it('is verified on hosts of Google and of organisations that it hosts', () => {
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

  it('is refused with an invalid signature', async () => {
    const { subject } = knownTo('google');
    const client = api.client();
    peers.google.spoilNextSignature();
    assert.equal(await come(client, 'google', subject), '/signin?trouble=failed');
    assert.ok(await isGuest(client));
  });

  it('does not link the account of an admin', async () => {
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

  it('is refused with a wrong nonce', async () => {
    const { subject } = knownTo('google');
    const client = api.client();
    peers.google.spoilNextNonce();
    assert.equal(await come(client, 'google', subject), '/signin?trouble=failed');
    assert.ok(await isGuest(client));
  });
});

describe('a provider that accepts a request and does not answer', () => {
  it('is unavailable', async () => {
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

describe('the address of a Facebook profile', () => {
  it('is unverified', async () => {
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

  it('may be missing, and then no account is opened', async () => {
    const subject = randomUUID();
    peers.facebook.accounts.set(subject, { subject, name: 'No Address' });
    assert.equal(await come(api.client(), 'facebook', subject), '/signin?trouble=no_email');
  });

  it('redirects without the fragment of the callback', async () => {
    const { subject } = knownTo('facebook');
    const client = api.client();
    const back = await goThrough(await setOut(client, 'facebook'), subject);
    const answer = await client.get(back.pathname + back.search);
    assert.equal(answer.headers['location'], `${WEB}/exchanges#`);
  });
});
