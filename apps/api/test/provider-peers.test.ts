/** The tests' own Google and Facebook are as strict as the real ones; else a test that passes proves nothing. */
import assert from 'node:assert/strict';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { startFacebook } from './fakes/facebook.ts';
import { startOpenIdProvider } from './fakes/openid-provider.ts';
import { goThrough, type Peer } from './fakes/provider-peer.ts';

const back = 'http://localhost:8000/callback';
const verifier = 'a-verifier-that-is-long-enough-for-the-standard';
const challenge = createHash('sha256').update(verifier).digest('base64url');
const ada = { subject: '11', name: 'Ada & Co', email: 'ada@example.com', email_verified: true };
const peerOptions = { accounts: [ada], redirectUris: [back] };

const google = await startOpenIdProvider({ after }, peerOptions);
const facebook = await startFacebook({ after }, peerOptions);

type Parameters = Readonly<Record<string, string>>;

function asking(address: string, client: string, more: Parameters = {}): URL {
  const url = new URL(address);
  url.search = new URLSearchParams({
    client_id: client,
    redirect_uri: back,
    response_type: 'code',
    state: 'the state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  }).toString();
  return url;
}

async function token(address: string, peer: Peer, name: string, more: Parameters) {
  const answer = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: peer.environment[`${name}_CLIENT_ID`] ?? '',
      client_secret: peer.environment[`${name}_CLIENT_SECRET`] ?? '',
      redirect_uri: back,
      code_verifier: verifier,
      ...more,
    }),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

describe('the OpenID provider', () => {
  const address = `${google.url}/auth`;
  const client = google.environment['GOOGLE_CLIENT_ID'] ?? '';
  const wanted = { scope: 'openid email profile', nonce: 'the nonce' };
  const start = () => asking(address, client, wanted);
  const exchange = (more: Parameters) => token(`${google.url}/token`, google, 'GOOGLE', more);
  const codeOf = async () => (await goThrough(start(), ada.subject)).searchParams.get('code') ?? '';

  it('names the user in an ID token with the nonce', async () => {
    const { status, body } = await exchange({ code: await codeOf() });
    assert.equal(status, 200, JSON.stringify(body));
    const claims = JSON.parse(Buffer.from(body.id_token.split('.')[1], 'base64url').toString());
    assert.equal(claims.nonce, 'the nonce');
    assert.equal(claims.sub, ada.subject);
    assert.equal(claims.email, ada.email);
    assert.equal(claims.email_verified, true);
    assert.equal(claims.name, ada.name);
  });

  it('redirects with the reason when it was cancelled', async () => {
    const { searchParams } = await goThrough(start(), 'cancel');
    assert.equal(searchParams.get('error'), 'access_denied');
    assert.equal(searchParams.get('state'), 'the state');
  });

  it('accepts a code once, with its verifier and the secret', async () => {
    assert.equal(
      (await exchange({ code: await codeOf(), code_verifier: 'x'.repeat(50) })).status,
      400,
    );
    assert.equal((await exchange({ code: await codeOf(), client_secret: 'x' })).status, 401);
    const code = await codeOf();
    assert.equal((await exchange({ code })).status, 200);
    assert.equal((await exchange({ code })).body.error, 'invalid_grant');
  });

  it('redirects only to registered addresses', async () => {
    const elsewhere = asking(address, client, { ...wanted, redirect_uri: 'https://evil.example' });
    assert.equal((await fetch(elsewhere)).status, 400);
  });

  it('can be unavailable', async () => {
    google.condition = 'down';
    assert.equal((await fetch(start())).status, 503);
    google.condition = 'hanging';
    await assert.rejects(fetch(start(), { signal: AbortSignal.timeout(200) }));
    google.condition = 'up';
  });
});

describe('Facebook', () => {
  const address = `${facebook.url}/v24.0/dialog/oauth`;
  const client = facebook.environment['FACEBOOK_CLIENT_ID'] ?? '';
  const start = () => asking(address, client);
  const exchange = (more: Parameters) =>
    token(`${facebook.url}/v24.0/oauth/access_token`, facebook, 'FACEBOOK', more);
  const codeOf = async () => (await goThrough(start(), ada.subject)).searchParams.get('code') ?? '';

  async function me(accessToken: string, secret: string) {
    const proof = createHmac('sha256', secret).update(accessToken).digest('hex');
    const answer = await fetch(
      `${facebook.url}/v24.0/me?fields=id,email&appsecret_proof=${proof}`,
      { headers: { authorization: `Bearer ${accessToken}` } },
    );
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  }

  it('names the user to a client that knows the secret', async () => {
    const { body } = await exchange({ code: await codeOf() });
    const secret = facebook.environment['FACEBOOK_CLIENT_SECRET'] ?? '';
    assert.deepEqual((await me(body.access_token, secret)).body, {
      id: ada.subject,
      email: ada.email,
    });
    assert.equal((await me(body.access_token, 'another')).body.error.type, 'GraphMethodException');
    assert.equal((await me(randomUUID(), secret)).body.error.code, 190);
  });

  it('redirects with its own error when it was cancelled', async () => {
    const { searchParams, hash } = await goThrough(start(), 'cancel');
    assert.equal(searchParams.get('error_reason'), 'user_denied');
    assert.equal(searchParams.get('state'), 'the state');
    assert.equal(hash, '#_=_');
  });

  it('accepts a code once, with its verifier, its address and the secret', async () => {
    const code = await codeOf();
    const wrong = [{ code_verifier: 'x' }, { client_secret: 'x' }, { redirect_uri: `${back}/x` }];
    for (const part of wrong) {
      const { status, body } = await exchange({ code, ...part });
      assert.equal(status, 400);
      assert.equal(body.error.type, 'OAuthException');
    }
    assert.equal((await exchange({ code })).status, 200);
    assert.equal((await exchange({ code })).status, 400);
  });

  it('redirects only to registered addresses', async () => {
    const elsewhere = asking(address, client, { redirect_uri: 'https://evil.example' });
    assert.equal((await fetch(elsewhere)).status, 400);
  });
});
