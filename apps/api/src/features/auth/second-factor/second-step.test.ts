import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { Authenticator } from '#test/fakes/authenticator.ts';
import type { Client } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { addPasskey, addTotp, codeAt, firstStep } from '#test/factories/second-factor.ts';

const api = await startTestApi({ after });
const CHALLENGE = '/api/auth/two-factor-challenge';

async function withTotp() {
  const { client, user } = await api.asMember();
  const { secret } = await addTotp(client, api.clock.now());
  // The first code is used up; the next step has another.
  api.clock.advance(30 * SECOND);
  return { user, email: user.email, prove: () => ({ code: codeAt(secret, api.clock.now()) }) };
}

describe('GET /api/auth/two-factor-challenge', () => {
  const isWaiting = async (browser: Client) => {
    const { status, body } = await browser.get(CHALLENGE);
    assert.equal(status, 200);
    return body.data.waiting;
  };

  it('shows a waiting sign-in until it is finished or has expired', async () => {
    const { email, prove } = await withTotp();
    const [done, late, other] = [api.client(), api.client(), api.client()];
    for (const browser of [done, late]) {
      assert.equal(await isWaiting(browser), false);
      await firstStep(browser, email);
      assert.equal(await isWaiting(browser), true);
    }
    assert.equal((await done.post(CHALLENGE, prove())).status, 200);
    api.clock.advance(10 * MINUTE);
    for (const browser of [done, late, other]) {
      assert.equal(await isWaiting(browser), false);
    }
  });

  it('shows none after the tries are used up, by any kind of proof', async () => {
    const { email, prove } = await withTotp();
    const browser = api.client();
    await firstStep(browser, email);
    const { body: asked } = await browser.post('/api/auth/passkey-challenge');
    const passkey = new Authenticator().get(asked.data);
    const wrong = [{ code: '000000' }, { recovery_code: 'abcd-efgh-jkmn' }, { passkey }];
    for (const proof of [...wrong, ...wrong.slice(0, 2)]) {
      assert.equal(await isWaiting(browser), true);
      assert.equal((await browser.post(CHALLENGE, proof)).status, 422);
    }
    assert.equal(await isWaiting(browser), false);
    assert.equal((await browser.post(CHALLENGE, prove())).body.code, 'sign_in_again');
  });

  it('shows the user and the methods of the last first step', async () => {
    const { user: one } = await withTotp();
    const { client, user: other } = await api.asMember();
    await addPasskey(client);
    const browser = api.client();
    const ways = [];
    for (const { email } of [one, other]) {
      const { methods } = await firstStep(browser, email);
      const { body } = await browser.get(CHALLENGE);
      assert.deepEqual(body.data, { waiting: true, methods, email });
      ways.push(methods);
    }
    assert.deepEqual(ways, [
      ['totp', 'recovery_code'],
      ['passkey', 'recovery_code'],
    ]);
  });

  it('shows nothing to a foreign page', async () => {
    const { email } = await withTotp();
    const browser = api.client();
    await firstStep(browser, email);
    const { body } = await browser.get(CHALLENGE, {
      headers: { referer: 'https://elsewhere.example/' },
    });
    assert.deepEqual(body.data, { waiting: false, methods: [], email: null });
  });
});
