/** Pictures relayed from a small API. */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, describe, it } from 'node:test';
import type { RequestEvent } from '@sveltejs/kit';
import { standInApi } from '#lib/test/stand-in.ts';

const path = '/media/bcdfghjkmnpqrstv-640.webp';
const forGood = 'public, max-age=31536000, immutable';
let seen: IncomingMessage[] = [];
let answer: (response: ServerResponse) => void = () => undefined;

await standInApi((incoming, response) => {
  seen.push(incoming);
  answer(response);
});
const { mediaFile } = await import('./media-file.ts');

function ask(pathname: string, headers: Record<string, string> = {}, method = 'GET') {
  const url = new URL(pathname, 'https://site.test');
  const request = new Request(url, { method, headers });
  const event = { request, url, getClientAddress: () => '203.0.113.7' } as RequestEvent;
  return mediaFile(event, 'request-1');
}

beforeEach(() => {
  seen = [];
  answer = (response) =>
    response
      .writeHead(200, {
        'content-type': 'image/webp',
        'content-length': '7',
        'cache-control': forGood,
        etag: '"bcdf"',
        'set-cookie': 'session=x',
        'x-powered-by': 'api',
      })
      .end('picture');
});

describe('a picture of the media library', () => {
  it('comes from the API with the headers that caches need', async () => {
    const response = await ask(path, { cookie: 'session=secret; XSRF-TOKEN=a' });
    assert.equal(response.status, 200);
    assert.equal(await response.text(), 'picture');
    assert.deepEqual(Object.fromEntries(response.headers), {
      'content-type': 'image/webp',
      'content-length': '7',
      'cache-control': forGood,
      etag: '"bcdf"',
    });
    assert.equal(seen[0]?.url, path);
    assert.equal(seen[0]?.headers.cookie, undefined, 'Nobody is signed in to see a picture.');
    assert.equal(seen[0]?.headers['x-forwarded-for'], '203.0.113.7');
  });

  it('is not sent to a client that has it', async () => {
    answer = (response) => response.writeHead(304, { etag: '"bcdf"' }).end();
    const response = await ask(path, { 'if-none-match': '"bcdf"' });
    assert.equal(response.status, 304);
    assert.equal(response.body, null);
    assert.equal(seen[0]?.headers['if-none-match'], '"bcdf"');
  });

  it('answers HEAD', async () => {
    const response = await ask(path, {}, 'HEAD');
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-length'), '7');
    assert.equal(seen[0]?.method, 'HEAD');
  });

  it('is no way to other files of the API', async () => {
    for (const other of ['/media/x', '/media/..%2fapi%2fme', `${path}x`, '/media/']) {
      const response = await ask(other);
      assert.equal(response.status, 404, other);
      assert.equal(response.headers.get('cache-control'), 'no-store', other);
    }
    assert.equal(seen.length, 0);
  });

  it('fails without the API’s message, and is not cached then', async () => {
    for (const [theirs, ours] of [
      [404, 404],
      [429, 429],
      [500, 503],
      [302, 503],
    ] as const) {
      answer = (response) =>
        response.writeHead(theirs, { 'retry-after': '7', 'cache-control': forGood }).end('inside');
      const response = await ask(path);
      assert.equal(response.status, ours);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.equal(response.headers.get('retry-after'), '7');
      assert.equal(await response.text(), '');
    }
    answer = (response) => response.destroy();
    assert.equal((await ask(path)).status, 503);
  });
});
