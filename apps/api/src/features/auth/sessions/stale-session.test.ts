/** Sessions whose last confirmation is more than ten minutes old. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import { PASSWORD, type Client } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { secretOf } from '#test/factories/emails.ts';
import { addTotp, codeAt } from '#test/factories/second-factor.ts';
import { audit } from '#features/audit/routes.ts';
import { auth } from '../routes.ts';

const api = await startTestApi({ after }, { features: [audit, auth] });
const NEW_PASSWORD = 'a purse full of crowns';
const newEmail = () => `${randomUUID()}@example.com`;
const change = (client: Client, password: string, current = PASSWORD) =>
  client.put('/api/user/password', { current_password: current, password });
const move = (client: Client, email: string, current = PASSWORD) =>
  client.put('/api/user/email', { email, current_password: current });
const removeApp = (client: Client) => client.delete('/api/user/two-factor/totp');
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) =>
  [status, body.code] as const;
const UNCONFIRMED = [403, 'confirmation_required'] as const;

/** Such a session of a user with a second factor. */
async function stale() {
  const { client, user } = await api.asMember();
  const { secret } = await addTotp(client, api.clock.now());
  api.clock.advance(11 * MINUTE);
  const confirm = () =>
    client.post('/api/user/confirmation', { code: codeAt(secret, api.clock.now()) });
  return { client, user, confirm };
}

describe('a stale session, and the password', () => {
  it('change neither password nor address of a user with a second factor', async () => {
    const { client, user, confirm } = await stale();
    const email = newEmail();
    assert.deepEqual(codeOf(await change(client, NEW_PASSWORD)), UNCONFIRMED);
    assert.deepEqual(codeOf(await move(client, email)), UNCONFIRMED);
    // The password is not even tried: a thief of the session learns nothing about it.
    assert.deepEqual(codeOf(await change(client, NEW_PASSWORD, 'wrong')), UNCONFIRMED);
    assert.equal((await client.get('/api/user')).body.pending_email, null);
    assert.equal((await confirm()).status, 200);
    assert.equal((await change(client, NEW_PASSWORD)).status, 200);
    assert.equal((await move(client, email, NEW_PASSWORD)).status, 202);
    const token = await secretOf(api, email, 'verify-new-address');
    assert.equal((await client.post('/api/auth/verify-email', { token })).status, 200);
    assert.notEqual(user.email, email);
  });

  it('do not make the session fresh by changing the password', async () => {
    const { client } = await api.asMember();
    api.clock.advance(11 * MINUTE);
    const begin = () => client.post('/api/user/passkeys/challenge');
    assert.deepEqual(codeOf(await begin()), UNCONFIRMED);
    assert.equal((await change(client, NEW_PASSWORD)).status, 200);
    assert.deepEqual(codeOf(await begin()), UNCONFIRMED);
    const confirmed = await client.post('/api/user/confirmation', { password: NEW_PASSWORD });
    assert.equal(confirmed.status, 200);
    assert.equal((await begin()).status, 200);
  });

  it('do not extend the ten minutes of a confirmation', async () => {
    const { client, confirm } = await stale();
    assert.equal((await confirm()).status, 200);
    api.clock.advance(9 * MINUTE);
    assert.equal((await change(client, NEW_PASSWORD)).status, 200);
    api.clock.advance(2 * MINUTE);
    assert.deepEqual(codeOf(await removeApp(client)), UNCONFIRMED);
  });
});

describe('cancelling a change of the address', () => {
  it('needs neither password nor confirmation', async () => {
    const { client, user, confirm } = await stale();
    await confirm();
    const email = newEmail();
    assert.equal((await move(client, email)).status, 202);
    const token = await secretOf(api, email, 'verify-new-address');
    api.clock.advance(11 * MINUTE);
    const dropped = await client.put('/api/user/email', { email: user.email });
    assert.equal(dropped.status, 202, dropped.text);
    assert.equal(dropped.body.data.pending_email, null);
    const late = await client.post('/api/auth/verify-email', { token });
    assert.equal(late.body.code, 'link_invalid');
  });

  it('never asks for an address that is the current one by now', async () => {
    const { client, user } = await api.asMember();
    const email = newEmail();
    await move(client, email);
    const token = await secretOf(api, email, 'verify-new-address');
    api.clock.advance(11 * MINUTE);
    const [confirmed] = await Promise.all([
      client.post('/api/auth/verify-email', { token }),
      client.put('/api/user/email', { email: user.email }),
    ]);
    const now = (await client.get('/api/user')).body;
    assert.equal(now.pending_email, null);
    assert.equal(now.email, confirmed.status === 200 ? email : user.email);
  });
});
