/** Setting up second factors, as the account page does. */
import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import { Authenticator } from '#test/fakes/authenticator.ts';
import { PASSWORD, type Client, type Json } from '#test/client.ts';

/** The code of an authenticator app at this time. */
export function codeAt(secret: string, time: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: time.getTime() });
}

/** Adds an authenticator app; returns its secret and the recovery codes. */
export async function addTotp(
  client: Client,
  now: Date,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await client.post('/api/user/two-factor/totp');
  assert.equal(begun.status, 201, begun.text);
  const { secret } = begun.body.data;
  const confirmed = await client.post('/api/user/two-factor/totp/confirmation', {
    code: codeAt(secret, now),
  });
  assert.equal(confirmed.status, 200, confirmed.text);
  return { secret, recoveryCodes: confirmed.body.data.recovery_codes };
}

export async function addPasskey(
  client: Client,
  device = new Authenticator(),
): Promise<{ device: Authenticator; answer: Json }> {
  const options = await client.post('/api/user/passkeys/challenge');
  assert.equal(options.status, 200, options.text);
  const passkey = device.create(options.body.data);
  const added = await client.post('/api/user/passkeys', { name: 'My key', passkey });
  assert.equal(added.status, 201, added.text);
  return { device, answer: added.body.data };
}

/** Only the first step; returns the methods of the second. */
export async function firstStep(client: Client, email: string): Promise<Json> {
  const answer = await client.post('/api/auth/signin', { email, password: PASSWORD });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.two_factor, true);
  return answer.body;
}
