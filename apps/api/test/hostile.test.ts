/** What nobody sends by accident: paths, bodies and headers made to confuse. Never a 5xx, never past a guard. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import type { InjectOptions } from 'fastify';
import { auth } from '#features/auth/routes.ts';
import { startTestApi } from './harness.ts';
import { probe } from './probe.ts';

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

  it('never give a member or a guest more than a refusal, by any method', async () => {
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

  it('are not opened by asking for another method or path in headers or the query', async () => {
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

  it('are not opened by a target in absolute form or by a bare one', async () => {
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

/** Everything that the server answers to these bytes. */
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

describe('content types', () => {
  const post = (type: string | undefined, body: string) =>
    api.app.inject({
      method: 'POST',
      url: '/api/probe/public',
      payload: body,
      headers: type === undefined ? {} : { 'content-type': type },
    });

  for (const [type, statuses] of [
    ['application/json', [201, 422]],
    ['application/json; charset=utf-8', [201, 422]],
    ['application/json;charset=UTF-8', [201, 422]],
    ['APPLICATION/JSON', [201, 422]],
    [' application/json', [201, 422]],
    ['\tapplication/json', [201, 422]],
    ['application/json;', [201, 422]],
    [undefined, [415, 415]],
    ['', [415, 415]],
    ['text/plain', [415, 415]],
    ['application/jsonx', [415, 415]],
    ['application/json, text/plain', [415, 415]],
    ['application/x-www-form-urlencoded', [415, 415]],
    ['multipart/form-data; boundary=x', [415, 415]],
    ['application/vnd.api+json', [415, 415]],
  ] as const) {
    it(`${JSON.stringify(type) ?? 'none'} is held to the schema or refused`, async () => {
      assert.equal((await post(type, '{"text":"a"}')).statusCode, statuses[0]);
      assert.equal((await post(type, '{"text":"a","extra":1}')).statusCode, statuses[1]);
    });
  }

  it('of an upload is multipart only', async () => {
    const { client } = await api.asMember();
    assert.equal((await client.post('/api/probe/files', { proof: 'x' })).status, 415);
    assert.equal((await client.post('/api/probe/files')).status, 415);
    const file = { bytes: Buffer.from('abc'), name: 'a.png', type: 'image/png' };
    const answer = await client.upload('/api/probe/files', 'proof', file);
    assert.deepEqual(answer.body, { data: { size: 3 } });
  });
});

describe('bodies', () => {
  const send = (payload: string) =>
    api.app.inject({
      method: 'POST',
      url: '/api/probe/public',
      payload,
      headers: { 'content-type': 'application/json' },
    });

  const bodies: [string, string][] = [
    ['nothing', ''],
    ['half an object', '{"text":"a"'],
    ['a list', '[{"text":"a"}]'],
    ['a text', '"text"'],
    ['null', 'null'],
    ['a duplicate key', '{"text":"a","text":"b"}'],
    ['__proto__', '{"text":"a","__proto__":{"role":"admin"}}'],
    ['constructor', '{"text":"a","constructor":{"prototype":{}}}'],
    ['an array for a text', '{"text":["a"]}'],
    ['an object for a text', '{"text":{"$ne":""}}'],
    ['a number for a text', '{"text":1}'],
    ['a text for a number', '{"text":"a","count":"1"}'],
    ['infinity', '{"text":"a","count":1e309}'],
    ['a huge number', `{"text":"a","count":1${'0'.repeat(40)}}`],
    ['a fraction', '{"text":"a","count":0.5}'],
    ['NaN', '{"text":"a","count":NaN}'],
    ['"NaN"', '{"text":"a","count":"NaN"}'],
    ['a NUL', '{"text":"a\\u0000"}'],
    ['half a character', '{"text":"\\ud800"}'],
    ['an escape', '{"text":"\\u001b[2J"}'],
    ['an abyss', `{"text":"a","nested":${'['.repeat(200)}${']'.repeat(200)}}`],
    ['a long text', `{"text":"${'x'.repeat(200_000)}"}`],
    ['an unknown field deep inside', '{"text":"a","nested":[{"label":"a","role":"admin"}]}'],
    ...['role', 'status', 'approved', 'user_id', 'rate', 'fee', 'created_at', 'id'].map(
      (field): [string, string] => [`the field ${field}`, `{"text":"a","${field}":"x"}`],
    ),
  ];
  for (const [what, body] of bodies) {
    it(`422: ${what}`, async () => {
      const answer = await send(body);
      assert.equal(answer.statusCode, 422, answer.body);
      assert.match(answer.json().code, /^(validation_failed|malformed_json)$/);
    });
  }

  it('name the field of an error, however deep', async () => {
    const answer = await send('{"text":"","nested":[{"label":"toolong"},{"label":"a","x":1}]}');
    assert.deepEqual(answer.json(), {
      message: 'The text field is required. (and 2 more errors)',
      code: 'validation_failed',
      errors: {
        text: ['The text field is required.'],
        'nested.0.label': ['The nested 0 label must not be greater than 5 characters.'],
        'nested.1.x': ['The nested 1 x field is prohibited.'],
      },
    });
  });

  it('may hold any language; minus zero is zero', async () => {
    for (const text of ['نقدًا', '換錢', '\u202Eevil', 'a\u200Bb', '🙂']) {
      assert.equal((await send(JSON.stringify({ text }))).statusCode, 201);
    }
    assert.equal((await send('{"text":"a","count":-0}')).statusCode, 201);
  });

  it('413: one that is too large, said in JSON to whoever is still sending', async () => {
    const address = await api.url();
    for (const size of [257 * 1024, 12 * 1024 * 1024]) {
      const answer = await fetch(`${address}/api/probe/public`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: 'http://localhost:4000' },
        body: 'x'.repeat(size),
      });
      assert.equal(answer.status, 413);
      assert.equal(answer.headers.get('access-control-allow-origin'), 'http://localhost:4000');
      assert.equal(((await answer.json()) as { code: string }).code, 'payload_too_large');
    }
  });

  it('413: one that does not say how large it is', async () => {
    const chunks = async function* () {
      for (let count = 0; count < 40; count += 1) yield Buffer.alloc(16 * 1024, 'x');
    };
    const answer = await fetch(`${await api.url()}/api/probe/public`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ReadableStream.from(chunks()),
      duplex: 'half',
    });
    assert.equal(answer.status, 413);
  });
});

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

  it('hand numbers and switches to the handler as such', async () => {
    const answer = await api.app.inject('/api/probe/search/abc?per_page=5&deep=1&cursor=7');
    assert.deepEqual(answer.json(), { data: { query: { per_page: 5, deep: true, cursor: '7' } } });
  });
});

describe('headers', () => {
  it('of a request id are kept only when harmless', async () => {
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

  it('that are too many are 431, and what is not HTTP is 400, in our shape', async () => {
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
    ['full', 500, { message: 'Server Error', code: 'server_error' }],
    ['readonly', 500, { message: 'Server Error', code: 'server_error' }],
    ['text', 500, { message: 'Server Error', code: 'server_error' }],
    ['unreachable', 503, { message: 'Service Unavailable', code: 'service_unavailable' }],
    ['refusal', 409, { message: 'It is too late.', code: 'too_late' }],
  ] as const) {
    it(`${status}: ${name}, without detail`, async () => {
      const answer = await api.app.inject(`/api/probe/faults/${name}`);
      assert.equal(answer.statusCode, status);
      assert.deepEqual(answer.json(), body);
      assert.equal(answer.headers['retry-after'], status === 503 ? '5' : undefined);
    });
  }

  it('drop what a reply did not promise', async () => {
    const { client } = await api.asMember();
    const answer = await client.post('/api/probe/member', { text: 'a' });
    assert.deepEqual(answer.body, { data: { text: 'a', by: 'Alex Marlow' } });
  });

  it('405: says which methods there are', async () => {
    const options: InjectOptions = { method: 'PATCH', url: '/api/user' };
    const answer = await api.app.inject(options);
    assert.equal(answer.statusCode, 405);
    assert.equal(answer.headers.allow, 'GET, HEAD');
    assert.equal(answer.json().code, 'method_not_allowed');
    const asked = await api.app.inject({ method: 'OPTIONS', url: '/api/auth/signin' });
    assert.equal(asked.statusCode, 204);
    assert.equal(asked.headers.allow, 'POST');
  });
});
