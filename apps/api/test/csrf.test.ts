/** CSRF protection, foreign pages, and the order of refusals. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { auth } from '#features/auth/routes.ts';
import type { Client } from './client.ts';
import { startTestApi } from './harness.ts';
import { probe } from './fakes/probe.ts';

const api = await startTestApi({ after }, { features: [auth, probe] });
const MISMATCH = { message: 'CSRF token mismatch.', code: 'csrf_token_mismatch' };

/** Writes to a member's route with these headers instead of the client's. */
function write(client: Client, headers: Record<string, string>, path = '/api/probe/member') {
  return client.post(path, { text: 'a' }, { headers });
}

async function jarOf(client: Client): Promise<{ session: string; token: string }> {
  await client.get('/stateful/csrf-cookie');
  return {
    session: client.jar.get('cambist_session') ?? '',
    token: client.jar.get('XSRF-TOKEN') ?? '',
  };
}

describe('a write without the right token', () => {
  it('is 419 on every guarded route and on sign-in, for every caller', async () => {
    const { client: member } = await api.asMember();
    const { client: admin } = await api.asAdmin();
    const paths = [
      '/api/probe/stateful',
      '/api/probe/member',
      '/api/admin/probe',
      '/api/auth/signin',
      '/api/auth/signup',
      '/api/auth/signout',
      '/api/admin/nothing',
    ];
    for (const client of [api.client(), member, admin]) {
      for (const path of paths) {
        const answer = await write(client, { 'x-xsrf-token': '' }, path);
        assert.equal(answer.status, 419, path);
        assert.deepEqual(answer.body, MISMATCH);
        assert.equal(answer.headers['access-control-allow-origin'], 'http://localhost:4000');
      }
    }
  });

  it('is 419 for every wrong token', async () => {
    const { client } = await api.asMember();
    const { client: other } = await api.asMember();
    const mine = await jarOf(client);
    const theirs = await jarOf(other);
    const session = `cambist_session=${mine.session}`;
    const both = `${session}; XSRF-TOKEN=${mine.token}`;
    for (const [what, headers] of [
      ['no header', { cookie: both, 'x-xsrf-token': '' }],
      ['no token cookie', { cookie: session, 'x-xsrf-token': mine.token }],
      ['no session cookie', { cookie: `XSRF-TOKEN=${mine.token}`, 'x-xsrf-token': mine.token }],
      [
        'another cookie than the header',
        { cookie: `${session}; XSRF-TOKEN=${theirs.token}`, 'x-xsrf-token': mine.token },
      ],
      [
        'an equal pair of another session',
        { cookie: `${session}; XSRF-TOKEN=${theirs.token}`, 'x-xsrf-token': theirs.token },
      ],
      [
        'an equal pair of nobody',
        { cookie: `${session}; XSRF-TOKEN=xplanted`, 'x-xsrf-token': 'xplanted' },
      ],
      ['an equal pair of nothing', { cookie: `${session}; XSRF-TOKEN=`, 'x-xsrf-token': '' }],
      ['a broken escape', { cookie: both, 'x-xsrf-token': '%zz' }],
      ['a longer token', { cookie: both, 'x-xsrf-token': `${mine.token}x` }],
      [
        'the token in the other header',
        { cookie: both, 'x-xsrf-token': '', 'x-csrf-token': mine.token },
      ],
    ] as const) {
      assert.equal((await write(client, headers)).status, 419, what);
    }
    const inBody = { text: 'a', _token: mine.token };
    const ask = { headers: { 'x-xsrf-token': '' } };
    assert.equal((await client.post('/api/probe/member', inBody, ask)).status, 419);
  });

  it('passes with the token, also URL-encoded', async () => {
    const { client } = await api.asMember();
    const { token } = await jarOf(client);
    assert.equal((await write(client, {})).status, 201);
    const encoded = [...token].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    assert.equal((await write(client, { 'x-xsrf-token': encoded })).status, 201);
  });

  it('needs none on public routes', async () => {
    const headers = { 'x-xsrf-token': '', origin: 'http://elsewhere.test' };
    assert.equal((await write(api.client(), headers, '/api/probe/public')).status, 201);
  });
});

describe('a foreign page', () => {
  const foreign = { origin: 'http://evil.test' };

  it('has no cookies and gets none: reading is 401, writing 419', async () => {
    const { client } = await api.asAdmin();
    for (const headers of [foreign, { referer: 'http://evil.test/a' }, { origin: 'null' }]) {
      for (const path of ['/api/user', '/api/admin/probe', '/api/admin/nothing']) {
        const read = await client.get(path, { headers });
        assert.equal(read.status, 401);
        assert.equal(read.headers['set-cookie'], undefined);
        assert.equal(
          read.headers['access-control-allow-origin'],
          'origin' in headers ? undefined : 'http://localhost:4000',
        );
      }
      assert.equal((await write(client, headers)).status, 419);
      assert.equal((await write(client, headers, '/api/auth/signin')).status, 419);
    }
  });

  it('cannot write with our Referer, nor across sites', async () => {
    const { client } = await api.asMember();
    const referer = 'http://localhost:4000/';
    assert.equal((await write(client, { ...foreign, referer })).status, 419);
    assert.equal((await write(client, { 'sec-fetch-site': 'cross-site' })).status, 419);
    assert.equal((await write(client, { 'sec-fetch-site': 'same-site' })).status, 201);
  });
});

describe('the order of refusals', () => {
  it('is 413, then 419, 401, 403, 415, 422', async () => {
    const guest = api.client();
    const { client: member } = await api.asMember();
    const { client: admin } = await api.asAdmin();
    const large = 'x'.repeat(300_000);
    const text = { 'content-type': 'text/plain' };
    const path = '/api/admin/probe';
    assert.equal(
      (await admin.post(path, large, { headers: { ...text, 'x-xsrf-token': '' } })).status,
      413,
    );
    assert.equal(
      (await guest.post(path, 'x', { headers: { ...text, 'x-xsrf-token': '' } })).status,
      419,
    );
    assert.equal((await guest.post(path, 'x', { headers: text })).status, 401);
    assert.equal((await member.post(path, 'x', { headers: text })).status, 403);
    assert.equal((await admin.post(path, 'x', { headers: text })).status, 415);
    assert.equal((await admin.post(path, { text: '' })).status, 422);
    assert.equal((await admin.post(path, { text: 'a' })).status, 201);
  });
});

describe('without APP_KEY', () => {
  it('public reads work, and everything stateful is 500 with the name of the exception', async () => {
    const there = await startTestApi({ after }, { features: [auth, probe], env: { APP_KEY: '' } });
    const guest = there.client();
    assert.equal((await guest.get('/api/probe/public')).status, 200);
    assert.equal((await guest.get('/health/ready')).status, 200);
    guest.jar.set('XSRF-TOKEN', 'x');
    for (const answer of [
      await guest.get('/stateful/csrf-cookie'),
      await guest.get('/api/user'),
      await guest.post('/api/auth/signin', { email: 'a@b.test', password: 'secret' }),
      await guest.get('/api/admin/probe'),
    ]) {
      assert.equal(answer.status, 500);
      assert.deepEqual(answer.body, {
        message: 'No application encryption key has been specified.',
        exception: 'MissingAppKeyException',
        code: 'missing_app_key',
      });
      assert.equal(answer.headers['access-control-allow-origin'], 'http://localhost:4000');
    }
  });
});
