/** Bodies that confuse parsers and validators: always 4xx, never 5xx, never past a schema. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { auth } from '#features/auth/routes.ts';
import { policyReports } from '#features/policy-reports/routes.ts';
import { startTestApi } from './harness.ts';
import { probe } from './fakes/probe.ts';

const api = await startTestApi({ after }, { features: [auth, policyReports, probe] });

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
        'nested.0.label': ['The label of item 1 of nested must not be greater than 5 characters.'],
        'nested.1.x': ['The x of item 2 of nested is prohibited.'],
      },
    });
  });

  it('get 20 errors at most', async () => {
    const items = (count: number) => Array.from({ length: count }, () => ({ label: 'toolong' }));
    const few = (await send(JSON.stringify({ text: 'a', nested: items(19) }))).json();
    assert.equal(Object.keys(few.errors).length, 19);
    const many = (await send(JSON.stringify({ text: 'a', nested: items(60) }))).json();
    assert.equal(Object.keys(many.errors).length, 20);
    assert.match(many.message, /\(and 19 more errors\)$/);
    assert.equal(many.errors['nested.19.label'].length, 1);
  });

  it('get one error for a list that is too long, and none for its items', async () => {
    const post = (reports: unknown[]) => api.client().post('/api/policy-reports', { reports });
    const answer = await post(Array.from({ length: 21 }, () => ({})));
    assert.deepEqual(
      [answer.status, answer.body.errors],
      [422, { reports: ['The reports must not have more than 20 items.'] }],
    );
    const twenty = await post(Array.from({ length: 20 }, () => ({})));
    assert.equal(Object.keys(twenty.body.errors).length, 20);
  });

  it('get an answer of at most 4 kB', async () => {
    const fields = (count: number, name: string) =>
      Array.from({ length: count }, (_, index) => `"${index}${name}":1`).join(',');
    const hostile = [
      `{"reports":[${'{},'.repeat(80_000)}{}]}`,
      `{${fields(20_000, 'x')}}`,
      `{${fields(50, 'x')}}`,
      `{${fields(50, 'a.1.'.repeat(1000))}}`,
      `{${fields(50, '換'.repeat(1000))}}`,
      `{${fields(50, '\\u0001'.repeat(700))}}`,
      `{"${'\\ud83d\\ude00'.repeat(20_000)}":1}`,
      `{"nested":[${'{"label":{},"x":[[[[1]]]]},'.repeat(999)}{}]}`,
      `{"text":"${'\\u0000'.repeat(40_000)}"}`,
      '['.repeat(250_000),
      '"'.repeat(250_000),
      `{"a":${'9'.repeat(250_000)}}`,
    ];
    for (const url of ['/api/probe/public', '/api/policy-reports']) {
      for (const payload of hostile) {
        const headers = { 'content-type': 'application/json' };
        const answer = await api.app.inject({ method: 'POST', url, payload, headers });
        const what = `${url} ${payload.slice(0, 40)}`;
        assert.equal(answer.statusCode, 422, what);
        assert.ok(answer.rawPayload.byteLength <= 4096, what);
        const errors: Record<string, string[]> = answer.json().errors ?? {};
        assert.ok(Object.values(errors).flat().length <= 20, what);
        for (const field of Object.keys(errors)) assert.ok(field.length <= 101, what);
      }
    }
  });

  it('of queries are bounded too', async () => {
    const query = Array.from({ length: 2000 }, (_, index) => `k${index}=1`).join('&');
    const answer = await api.app.inject(`/api/probe/search/abc?${query}`);
    assert.equal(answer.statusCode, 422);
    assert.equal(Object.keys(answer.json().errors).length, 20);
  });

  it('422: have more keys or items than any schema allows, with a message of its own', async () => {
    const answer = await send(`{"text":"a","nested":[${'{},'.repeat(1200)}{}]}`);
    assert.deepEqual(answer.json(), {
      message: 'The request body has too many fields or items.',
      code: 'malformed_json',
    });
  });

  it('can contain any language; minus zero is zero', async () => {
    for (const text of ['نقدًا', '換錢', '\u202Eevil', 'a\u200Bb', '🙂']) {
      assert.equal((await send(JSON.stringify({ text }))).statusCode, 201);
    }
    assert.equal((await send('{"text":"a","count":-0}')).statusCode, 201);
  });

  it('413: are too large, with an answer in JSON while the client is still sending', async () => {
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

  it('413: are too large without a declared length', async () => {
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
