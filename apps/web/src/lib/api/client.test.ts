/** The client against a small server that handles CSRF tokens like the API. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { endpoint, type Endpoint } from '@cambist/contract/endpoint';
import type { Transport } from './client.ts';
import { standIn } from '#lib/test/stand-in.ts';

// This module only exists inside SvelteKit.
standIn({ '$app/env/public': "export const API_URL = 'http://api.test'" });
const { ApiError, cookieValue, endpointUrl, request } = await import('./client.ts');
const { setPageUser } = await import('./page-user.ts');

const common = { throttle: 'write', summary: '', status: 200 } as const;
const write = endpoint({ method: 'POST', path: '/api/things', scope: 'member', ...common });
const open = endpoint({ method: 'POST', path: '/api/open', scope: 'public', ...common });
const one: Endpoint = { method: 'GET', path: '/api/things/{number}', scope: 'member', ...common };

type Answer = (incoming: IncomingMessage, response: ServerResponse, body: string) => void;
let answer: Answer;
let seen: { url: string; token: string | undefined; key: string | undefined; body: string }[] = [];

const server = createServer(async (incoming, response) => {
  let body = '';
  for await (const chunk of incoming) body += String(chunk);
  const header = (name: string) => incoming.headers[name] as string | undefined;
  seen.push({
    url: incoming.url ?? '',
    token: header('x-xsrf-token'),
    key: header('idempotency-key'),
    body,
  });
  if (incoming.url === '/stateful/csrf-cookie') {
    response.writeHead(204, { 'set-cookie': 'XSRF-TOKEN=fresh%3D; Path=/' }).end();
    return;
  }
  answer(incoming, response, body);
});

function json(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));
}

/** A transport that keeps one token, like a browser's cookie. */
function transport(token: string | null): Transport {
  let kept = token;
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    timeoutMs: 2_000,
    init: {},
    headers: () => ({}),
    token: () => kept,
    received: (response) => {
      const line = response.headers
        .getSetCookie()
        .find((cookie) => cookie.startsWith('XSRF-TOKEN='));
      if (line) kept = cookieValue(line.split(';')[0] ?? '', 'XSRF-TOKEN');
    },
  };
}

before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
after(() => server.close());
beforeEach(() => {
  seen = [];
  answer = (_incoming, response) => json(response, 200, { data: 'done' });
});

describe('the CSRF token', () => {
  it('is fetched first when there is none, and sent URL-decoded', async () => {
    await request(transport(null), write, {});
    assert.deepEqual(
      seen.map(({ url, token }) => [url, token]),
      [
        ['/stateful/csrf-cookie', undefined],
        ['/api/things', 'fresh='],
      ],
    );
  });

  it('is renewed once after a 419, with the same body and key', async () => {
    answer = (incoming, response) =>
      incoming.headers['x-xsrf-token'] === 'fresh='
        ? json(response, 200, { data: 'done' })
        : json(response, 419, { message: 'CSRF token mismatch.', code: 'csrf_token_mismatch' });
    await request(transport('stale'), write, { body: { a: 1 }, idempotencyKey: 'k-1' } as never);
    const writes = seen.filter(({ url }) => url === '/api/things');
    assert.deepEqual(
      writes.map(({ token }) => token),
      ['stale', 'fresh='],
    );
    assert.deepEqual(
      writes.map(({ body, key }) => [body, key]),
      [
        ['{"a":1}', 'k-1'],
        ['{"a":1}', 'k-1'],
      ],
    );
  });

  it('is renewed only once: a second 419 is the answer', async () => {
    answer = (_incoming, response) =>
      json(response, 419, { message: 'CSRF token mismatch.', code: 'x' });
    await assert.rejects(request(transport('stale'), write, {}), { status: 419 });
    assert.equal(seen.length, 3);
  });

  it('is not fetched for public endpoints', async () => {
    await request(transport(null), open, {});
    assert.deepEqual(
      seen.map(({ url, token }) => [url, token]),
      [['/api/open', undefined]],
    );
  });
});

describe('the user of the page', () => {
  after(() => setPageUser(() => null));

  it('is named in every write that needs a session, and nowhere else', async () => {
    setPageUser(() => 'a');
    const users: unknown[] = [];
    answer = ({ headers }, response) => {
      users.push(headers['x-signed-in-as']);
      json(response, 200, {});
    };
    for (const endpoint of [write, open, one]) {
      await request(transport('t'), endpoint, { params: { number: '1' } } as never);
    }
    assert.deepEqual(users, ['a', undefined, undefined]);
  });
});

describe('the client', () => {
  it('turns a refusal into an ApiError with its fields and the request id', async () => {
    const body = {
      message: 'No.',
      code: 'invalid',
      errors: { email: ['The email field is required.'] },
    };
    answer = (_incoming, response) => json(response, 422, body, { 'x-request-id': 'r-1' });
    await assert.rejects(request(transport('t'), write, {}), (error: unknown) => {
      assert.ok(error instanceof ApiError);
      assert.deepEqual(error.failure, { status: 422, ...body, request_id: 'r-1' });
      return true;
    });
  });

  it('keeps the seconds of Retry-After', async () => {
    const waits: (number | undefined)[] = [];
    for (const after of ['37', 'Fri, 31 Dec 1999 23:59:59 GMT']) {
      answer = (_incoming, response) =>
        json(response, 429, { message: 'No.', code: 'x' }, { 'retry-after': after });
      await assert.rejects(request(transport('t'), write, {}), (error: unknown) => {
        assert.ok(error instanceof ApiError);
        waits.push(error.failure.retry_after);
        return true;
      });
    }
    assert.deepEqual(waits, [37, undefined]);
  });

  it('reads a refusal that a proxy wrote in HTML', async () => {
    answer = (_incoming, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>');
    await assert.rejects(request(transport('t'), write, {}), { status: 502, code: 'http_502' });
  });

  it('returns nothing for 202 without a body', async () => {
    answer = (_incoming, response) => response.writeHead(202).end();
    assert.equal(await request(transport('t'), write, {}), undefined);
  });

  it('returns nothing for 204', async () => {
    answer = (_incoming, response) => response.writeHead(204).end();
    assert.equal(await request(transport('t'), write, {}), undefined);
  });

  it('distinguishes no answer from a cancelled request', async () => {
    const nowhere = { ...transport('t'), origin: 'http://127.0.0.1:9' };
    await assert.rejects(request(nowhere, open, {}), { status: 0, code: 'unreachable' });
    answer = () => undefined;
    await assert.rejects(request({ ...transport('t'), timeoutMs: 50 }, open, {}), {
      status: 0,
      code: 'timeout',
    });
    const giveUp = new AbortController();
    const pending = request(transport('t'), open, { signal: giveUp.signal });
    giveUp.abort();
    await assert.rejects(pending, { name: 'AbortError' });
    server.closeAllConnections();
  });
});

describe('an address', () => {
  it('has encoded path parameters and no empty query values', () => {
    const inputs = { params: { number: 'a/../b' }, query: { page: 2, q: '', state: undefined } };
    assert.equal(endpointUrl(one, inputs as never), 'http://api.test/api/things/a%2F..%2Fb?page=2');
  });

  it('has no NUL, which the API cannot store', () => {
    const inputs = { params: { number: '1' }, query: { q: '\0a\0', tag: '\0' } };
    assert.equal(endpointUrl(one, inputs as never), 'http://api.test/api/things/1?q=a');
  });

  it('reads a cookie by its whole name', () => {
    assert.equal(cookieValue('NOT-XSRF-TOKEN=a; XSRF-TOKEN=b%3D', 'XSRF-TOKEN'), 'b=');
    assert.equal(cookieValue('a=b', 'XSRF-TOKEN'), null);
  });
});
