/** Malicious paths, queries and headers: never 5xx, never past a guard. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import type { InjectOptions } from 'fastify';
import { auth } from '#features/auth/routes.ts';
import { startTestApi } from './harness.ts';
import { probe } from './fakes/probe.ts';

const api = await startTestApi({ after }, { features: [auth, probe] });

describe('equivalent paths of an admin route', () => {
  const paths = [
    '/api/admin/probe/',
    '/api//admin/probe',
    '//api/admin/probe',
    '/api/admin//probe',
    '/api/admin/probe;x=1',
    '/api/admin;/probe',
    '/api%2Fadmin%2Fprobe',
    '/api/admin%2fprobe',
    '/api/%61dmin/probe',
    '/api/%61dmin/prob%65',
    '/API/admin/probe',
    '/api/ADMIN/probe',
    '/api/admin/PROBE',
    '/api/./admin/probe',
    '/api/public/../admin/probe',
    '/api/public/..%2fadmin/probe',
    '/api/admin/probe%00',
    '/api/admin/probe%20',
    '/api/admin/probe?x=/api/public',
    '/api/admin/probe#x',
    '/api\\admin\\probe',
    '/api/admin/%2e%2e/admin/probe',
  ];

  it('are refused for members and guests, with any method', async () => {
    const { client: member } = await api.asMember();
    for (const client of [api.client(), member]) {
      for (const path of paths) {
        for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'] as const) {
          const answer = await client.send(
            method,
            path,
            method === 'POST' ? { text: 'a' } : undefined,
          );
          assert.ok(
            answer.status >= 400 && answer.status < 500,
            `${method} ${path}: ${answer.status}`,
          );
          assert.doesNotMatch(answer.text, /"text":"admin"/);
        }
      }
    }
  });

  it('are not opened by overriding method or path in headers or the query', async () => {
    const { client } = await api.asMember();
    for (const headers of [
      { 'x-http-method-override': 'GET' },
      { 'x-method-override': 'OPTIONS' },
      { 'x-original-url': '/api/probe/public', 'x-rewrite-url': '/api/probe/public' },
      {
        'x-forwarded-prefix': '/api/probe',
        'x-forwarded-host': 'localhost',
        'x-forwarded-for': '127.0.0.1',
      },
    ]) {
      assert.equal((await client.get('/api/admin/probe?_method=OPTIONS', { headers })).status, 403);
      assert.equal(
        (await client.post('/api/admin/probe', { _method: 'GET' }, { headers })).status,
        403,
      );
    }
  });

  it('are not opened by a target in absolute or bare form', async () => {
    const { client } = await api.asMember();
    const port = Number(new URL(await api.url()).port);
    const cookie = [...client.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    for (const target of [
      'http://localhost/api/admin/probe',
      'api/admin/probe',
      '*',
      '/api/admin/probe ',
    ]) {
      const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`;
      assert.match(await rawAnswer(port, head), /^HTTP\/1\.1 4\d\d /, target);
    }
  });
});

/** The server's whole answer to these bytes. */
function rawAnswer(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => (text += chunk));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
    socket.setTimeout(5000, () => socket.destroy(new Error('No answer.')));
  });
}

describe('paths and queries', () => {
  for (const [status, path] of [
    [200, '/api/probe/search/abc?per_page=5&deep=true'],
    [200, '/api/probe/search/abc?deep=0'],
    [422, '/api/probe/search/abc?per_page=5&per_page=6'],
    [422, '/api/probe/search/abc?per_page[]=5'],
    [422, '/api/probe/search/abc?per_page=1e2'],
    [422, '/api/probe/search/abc?per_page=%20'],
    [422, '/api/probe/search/abc?per_page=-0'],
    [422, '/api/probe/search/abc?per_page=101'],
    [422, '/api/probe/search/abc?deep=yes'],
    [422, '/api/probe/search/abc?cursor=a%00b'],
    [422, '/api/probe/search/abc?unknown=1'],
    [422, '/api/probe/search/abc?__proto__=1'],
    [422, '/api/probe/search/abc?__proto__[role]=admin'],
    [422, `/api/probe/search/abc?cursor=${'x'.repeat(201)}`],
    [404, '/api/probe/search/ABC'],
    [404, '/api/probe/search/a%00b'],
    [404, '/api/probe/search/a%2Fb'],
    [404, `/api/probe/search/${'x'.repeat(5000)}`],
    [404, '/api/probe/search/%ff'],
    [404, '/api/probe/search/'],
  ] as const) {
    it(`${status}: ${path.slice(0, 60)}`, async () => {
      const answer = await api.app.inject(path);
      assert.equal(answer.statusCode, status, answer.body);
    });
  }

  it('are parsed to numbers and booleans for the handler', async () => {
    const answer = await api.app.inject('/api/probe/search/abc?per_page=5&deep=1&cursor=7');
    assert.deepEqual(answer.json(), { data: { query: { per_page: 5, deep: true, cursor: '7' } } });
  });
});

describe('headers', () => {
  it('of a request id are used only when harmless', async () => {
    const idOf = async (id: string) =>
      (await api.client().get('/api/probe/public', { headers: { 'x-request-id': id } })).headers[
        'x-request-id'
      ];
    assert.equal(await idOf('trace-12345678'), 'trace-12345678');
    for (const id of ['short', 'x'.repeat(65), 'with space', '{"level":60}', '<script>']) {
      assert.match(String(await idOf(id)), /^[0-9a-f-]{36}$/);
    }
  });

  it('of an Idempotency-Key are 1 to 255 visible characters', async () => {
    const { client } = await api.asMember();
    const once = (headers: Record<string, string>) =>
      client.post('/api/probe/once', {}, { headers });
    assert.deepEqual((await once({})).body.errors, {
      idempotency_key: ['The Idempotency-Key header is required.'],
    });
    for (const key of ['', 'with space', 'é', 'x'.repeat(256)]) {
      assert.equal((await once({ 'idempotency-key': key })).status, 422);
    }
    const longest = 'x'.repeat(255);
    assert.deepEqual((await once({ 'idempotency-key': longest })).body, { data: { key: longest } });
    const replayed = await once({ 'idempotency-key': 'known' });
    assert.equal(replayed.headers['idempotency-replayed'], 'true');
    assert.equal(
      (await once({ 'idempotency-key': 'new' })).headers['idempotency-replayed'],
      undefined,
    );
  });

  it('that are too large are 431, and invalid HTTP is 400, in the shape of all errors', async () => {
    const port = Number(new URL(await api.url()).port);
    const large = await rawAnswer(
      port,
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    );
    assert.match(
      large,
      /^HTTP\/1\.1 431 .*\{"message":"The headers are too large\.","code":"headers_too_large"\}$/s,
    );
    const nonsense = await rawAnswer(port, 'NONSENSE\r\n\r\n');
    assert.match(nonsense, /^HTTP\/1\.1 400 .*"code":"bad_request"\}$/s);
  });
});

describe('failures', () => {
  for (const [name, status, body] of [
    ['defect', 500, { message: 'Server Error', code: 'server_error' }],
    [
      'full',
      503,
      { message: 'There is no room to store this. Try again later.', code: 'storage_full' },
    ],
    ['readonly', 500, { message: 'Server Error', code: 'server_error' }],
    ['text', 500, { message: 'Server Error', code: 'server_error' }],
    ['unreachable', 503, { message: 'Service Unavailable', code: 'service_unavailable' }],
    ['refusal', 409, { message: 'It is too late.', code: 'too_late' }],
  ] as const) {
    it(`${status}: ${name}, without detail`, async () => {
      const answer = await api.app.inject(`/api/probe/faults/${name}`);
      assert.equal(answer.statusCode, status);
      assert.deepEqual(answer.json(), body);
      const retryAfter = name === 'full' ? '60' : '5';
      assert.equal(answer.headers['retry-after'], status === 503 ? retryAfter : undefined);
    });
  }

  it('drop fields that the reply does not name', async () => {
    const { client } = await api.asMember();
    const answer = await client.post('/api/probe/member', { text: 'a' });
    assert.deepEqual(answer.body, { data: { text: 'a', by: 'Alex Marlow' } });
  });

  it('405: names the allowed methods', async () => {
    const options: InjectOptions = { method: 'PATCH', url: '/api/user/two-factor' };
    const answer = await api.app.inject(options);
    assert.equal(answer.statusCode, 405);
    assert.equal(answer.headers.allow, 'GET, HEAD');
    assert.equal(answer.json().code, 'method_not_allowed');
    const asked = await api.app.inject({ method: 'OPTIONS', url: '/api/auth/signin' });
    assert.equal(asked.statusCode, 204);
    assert.equal(asked.headers.allow, 'POST');
  });
});
