/** CORS: exactly the configured origins, on every answer. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { auth } from '#features/auth/routes.ts';
import { startTestApi } from './harness.ts';
import { probe } from './fakes/probe.ts';

const features = [auth, probe];
const api = await startTestApi({ after }, { features });
const ORIGIN = 'http://localhost:4000';

const preflight = (origin: string, path = '/api/auth/signin', there = api) =>
  there.client().send('OPTIONS', path, undefined, {
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-xsrf-token',
    },
  });

describe('a preflight', () => {
  it('is 204 with the allowed methods and headers, also for unknown and guarded paths', async () => {
    for (const path of [
      '/api/auth/signin',
      '/api/admin/probe',
      '/api/nothing',
      '/stateful/csrf-cookie',
    ]) {
      const answer = await preflight(ORIGIN, path);
      assert.equal(answer.status, 204);
      assert.equal(answer.text, '');
      assert.equal(answer.headers['access-control-allow-origin'], ORIGIN);
      assert.equal(answer.headers['access-control-allow-credentials'], 'true');
      assert.match(String(answer.headers['access-control-allow-methods']), /\bPOST\b/);
      assert.equal(answer.headers['access-control-allow-headers'], 'content-type,x-xsrf-token');
      assert.equal(answer.headers['set-cookie'], undefined);
    }
  });

  it('allows nothing to other origins', async () => {
    for (const origin of [
      'null',
      'http://localhost:4001',
      'http://localhost',
      'https://localhost:4000',
      'http://localhost:4000.evil.test',
      'http://evil.test/http://localhost:4000',
      'HTTP://LOCALHOST:4000',
      'http://127.0.0.1:4000',
    ]) {
      const answer = await preflight(origin);
      assert.equal(answer.status, 204);
      for (const name of Object.keys(answer.headers))
        assert.ok(!name.startsWith('access-control-'), `${origin}: ${name}`);
      assert.equal(answer.headers['vary'], 'Origin');
    }
  });
});

describe('an answer', () => {
  it('can be read by the frontend whatever its status', async () => {
    const guest = api.client();
    const { client: member } = await api.asMember();
    const { client: admin } = await api.asAdmin();
    const large = 'x'.repeat(300_000);
    for (const [status, answer] of [
      [200, await guest.get('/api/probe/public')],
      [204, await guest.get('/stateful/csrf-cookie')],
      [401, await guest.get('/api/user')],
      [403, await member.get('/api/admin/probe')],
      [404, await guest.get('/api/nothing')],
      [404, await admin.get('/api/admin/nothing')],
      [404, await guest.get('/api/%zz')],
      [405, await guest.put('/api/user')],
      [409, await guest.get('/api/probe/faults/refusal')],
      [413, await guest.post('/api/probe/public', { text: large })],
      [
        415,
        await guest.post('/api/probe/public', 'a', { headers: { 'content-type': 'text/plain' } }),
      ],
      [419, await guest.post('/api/auth/signin', {}, { headers: { 'x-xsrf-token': '' } })],
      [422, await guest.post('/api/auth/signin', {})],
      [500, await guest.get('/api/probe/faults/defect')],
      [503, await guest.get('/api/probe/faults/unreachable')],
    ] as const) {
      assert.equal(answer.status, status);
      assert.equal(answer.headers['access-control-allow-origin'], ORIGIN, String(status));
      assert.equal(answer.headers['access-control-allow-credentials'], 'true');
      assert.match(
        String(answer.headers['access-control-expose-headers']),
        /X-RateLimit-Remaining/,
      );
      assert.match(String(answer.headers['vary']), /\bOrigin\b/);
      assert.ok(answer.headers['x-request-id']);
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
      if (status >= 400) {
        assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
        assert.equal(typeof answer.body.message, 'string');
        assert.match(answer.body.code, /^[a-z][a-z0-9_]*$/);
      }
    }
  });

  it('can be read by all configured origins and no others', async () => {
    const env = { CORS_ALLOWED_ORIGINS: 'https://www.example.test, https://app.example.test:8443' };
    const there = await startTestApi({ after }, { features, env });
    for (const [origin, allowed] of [
      ['https://www.example.test', 'https://www.example.test'],
      ['https://app.example.test:8443', 'https://app.example.test:8443'],
      ['https://example.test', undefined],
      ['https://app.example.test', undefined],
      [ORIGIN, undefined],
    ] as const) {
      const answer = await there.client().get('/api/probe/public', { headers: { origin } });
      assert.equal(answer.headers['access-control-allow-origin'], allowed);
    }
  });
});
