import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import { Authenticator, type Manners } from '#test/fakes/authenticator.ts';
import type { Client } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { addPasskey, firstStep } from '#test/factories/second-factor.ts';

const api = await startTestApi({ after });

async function withPasskey() {
  const email = `${randomUUID()}@example.com`;
  const { client, user } = await api.asMember({ email });
  return { email, client, user, ...(await addPasskey(client)) };
}

async function options(client: Client, body = {}) {
  const answer = await client.post('/api/auth/passkey-challenge', body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function signInAlone(device: Authenticator, manners: Manners = {}) {
  const browser = api.client();
  const passkey = device.get(await options(browser), manners);
  return { browser, answer: await browser.post('/api/auth/passkey-signin', { passkey }) };
}

describe('a passkey', () => {
  it('is added with recovery codes, the first time', async () => {
    const { client, answer, email } = await withPasskey();
    assert.equal(answer.passkey.name, 'My key');
    assert.equal(answer.recovery_codes.length, 10);
    assert.equal((await addPasskey(client)).answer.recovery_codes.length, 0);
    const { body } = await client.get('/api/user/two-factor');
    assert.equal(body.data.passkeys.length, 2);
    const { kind } = await api.db
      .selectFrom('emails')
      .select('kind')
      .where('recipient', '=', email)
      .where('kind', '=', 'passkey-added')
      .executeTakeFirstOrThrow();
    assert.equal(kind, 'passkey-added');
  });

  it('is added only from our own origin, with the challenge of this session, once', async () => {
    const { client } = await api.asMember();
    const add = (passkey: object) => client.post('/api/user/passkeys', { name: 'Key', passkey });
    const begin = async () => (await client.post('/api/user/passkeys/challenge')).body.data;
    const refused = async (passkey: object) => {
      const answer = await add(passkey);
      assert.deepEqual([answer.status, answer.body.code], [422, 'passkey_refused']);
    };
    const device = new Authenticator();
    await refused(device.create(await begin(), { origin: 'http://evil.test' }));
    const foreign = await api.asMember();
    const theirs = (await foreign.client.post('/api/user/passkeys/challenge')).body.data;
    await begin();
    await refused(device.create(theirs));
    for (const nonsense of [{}, { id: 1 }, { id: 'x', response: { clientDataJSON: 'é' } }]) {
      await begin();
      await refused(nonsense);
    }
    const made = device.create(await begin());
    assert.equal((await add(made)).status, 201);
    await refused(made);
    await begin();
    await refused(device.create(await begin()));
  });

  it('signs in alone when its device has verified its user', async () => {
    const { device, user } = await withPasskey();
    const { browser, answer } = await signInAlone(device);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.data.id, user.id);
    assert.equal((await browser.get('/api/user')).status, 200);
    for (const manners of [{ verified: false }, { origin: 'http://evil.test' }]) {
      assert.equal((await signInAlone(device, manners)).answer.status, 422);
    }
    assert.equal((await signInAlone(new Authenticator())).answer.status, 422);
  });

  it('is refused when its counter goes back', async () => {
    const { device } = await withPasskey();
    assert.equal((await signInAlone(device, { counter: 7 })).answer.status, 200);
    assert.equal((await signInAlone(device, { counter: 7 })).answer.status, 422);
    assert.equal((await signInAlone(device, { counter: 3 })).answer.status, 422);
    assert.equal((await signInAlone(device, { counter: 8 })).answer.status, 200);
  });

  it('signs each challenge once, in the browser that asked, within ten minutes', async () => {
    const { device } = await withPasskey();
    const browser = api.client();
    const send = (client: Client, passkey: object) =>
      client.post('/api/auth/passkey-signin', { passkey });
    const asked = await options(browser);
    const signed = device.get(asked);
    assert.equal((await send(api.client(), signed)).status, 422);
    const both = await Promise.all([send(browser, signed), send(browser, signed)]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 422]);

    const late = api.client();
    const old = device.get(await options(late));
    api.clock.advance(10 * MINUTE);
    assert.equal((await send(late, old)).status, 422);
  });

  it('is a second step without verification of its user', async () => {
    const { device, email } = await withPasskey();
    const browser = api.client();
    const asked = await firstStep(browser, email);
    assert.deepEqual(asked.methods, ['passkey', 'recovery_code']);
    const given = await options(browser);
    assert.equal(given.allowCredentials.length, 1);
    const stranger = await withPasskey();
    const foreign = stranger.device.get(given);
    const wrong = await browser.post('/api/auth/two-factor-challenge', { passkey: foreign });
    assert.equal(wrong.status, 422);
    const passkey = device.get(await options(browser), { verified: false });
    const done = await browser.post('/api/auth/two-factor-challenge', { passkey });
    assert.equal(done.status, 200, done.text);
  });

  it('can be any user’s for a sign-in alone while a second step waits', async () => {
    const { email } = await withPasskey();
    const other = await withPasskey();
    const browser = api.client();
    await firstStep(browser, email);
    const given = await options(browser, { alone: true });
    assert.deepEqual(given.allowCredentials, []);
    const passkey = other.device.get(given);
    const answer = await browser.post('/api/auth/passkey-signin', { passkey });
    assert.equal(answer.body.data.id, other.user.id);
  });

  it('confirms an identity', async () => {
    const { client, device } = await withPasskey();
    api.clock.advance(11 * MINUTE);
    const begin = () => client.post('/api/user/passkeys/challenge');
    assert.equal((await begin()).body.code, 'confirmation_required');
    const confirm = async (by: Authenticator, manners = {}) => {
      const passkey = by.get(await options(client), manners);
      return (await client.post('/api/user/confirmation', { passkey })).status;
    };
    assert.equal(await confirm((await withPasskey()).device), 422);
    assert.equal(await confirm(device, { verified: false }), 422);
    assert.equal(await confirm(device), 200);
    assert.equal((await begin()).status, 200);
  });

  it('does not sign in a disabled user', async () => {
    const { device, user } = await withPasskey();
    const disabled = { disabled_at: new Date() };
    await api.db.updateTable('users').set(disabled).where('id', '=', user.id).execute();
    assert.equal((await signInAlone(device)).answer.status, 422);
  });

  it('is removed, unless it is the last way to sign in', async () => {
    const { client, user, answer, device } = await withPasskey();
    const path = `/api/user/passkeys/${answer.passkey.id}`;
    const { client: stranger } = await api.asMember();
    assert.equal((await stranger.delete(path)).status, 404);
    const { password_hash } = await api.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    const set = (hash: string | null) =>
      api.db.updateTable('users').set({ password_hash: hash }).where('id', '=', user.id).execute();
    await set(null);
    assert.equal((await client.delete(path)).body.code, 'last_way_in');
    await set(password_hash);
    assert.equal((await client.delete(path)).status, 204);
    assert.equal((await client.get('/api/user')).body.two_factor_enabled, false);
    assert.equal((await signInAlone(device)).answer.status, 422);
  });
});
