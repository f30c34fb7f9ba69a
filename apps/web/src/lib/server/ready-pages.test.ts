import assert from 'node:assert/strict';
import { createServer, request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, describe, it } from 'node:test';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openReadyPages } from './ready-pages.ts';

/** A page of its own at each rendering, but for `/form`, which is never stored. */
let rendered = 0;
let release: Promise<void> = Promise.resolve();
const pages = openReadyPages((cookies) => (cookies.includes('session=') ? null : cookies));

async function render(req: IncomingMessage) {
  rendered += 1;
  const body = Buffer.from(`<p>page ${rendered}</p>`);
  await release;
  if (req.url === '/form') return { headers: [], body };
  const headers = new Headers({ 'content-type': 'text/html', 'cache-control': 'private' });
  return (await pages.store(req, { headers, body })) ?? { headers: [], body };
}

const server = createServer((req, res) => {
  void pages.answer(req, res, async () => {
    const { headers, body } = await render(req);
    res.writeHead(200, headers.flat()).end(body);
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());
const { port } = server.address() as AddressInfo;

async function get(path: string, headers: OutgoingHttpHeaders = {}, method = 'GET') {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request({ port, path, headers, method, agent: false }, resolve).on('error', reject).end();
  const answer = await promise;
  const bytes = await buffer(answer);
  const { 'content-encoding': encoding, etag = '' } = answer.headers;
  const body =
    encoding === 'br'
      ? brotliDecompressSync(bytes)
      : encoding === 'gzip'
        ? gunzipSync(bytes)
        : bytes;
  return { status: answer.statusCode, headers: answer.headers, encoding, etag, text: String(body) };
}

beforeEach(() => {
  rendered = 0;
  pages.drop(true);
});

describe('a page for guests', () => {
  it('is rendered once, and again after a change', async () => {
    assert.equal((await get('/')).text, '<p>page 1</p>');
    assert.equal((await get('/')).text, '<p>page 1</p>');
    pages.drop(true);
    assert.equal((await get('/')).text, '<p>page 2</p>');
  });

  it('is not made from the answer to HEAD', async () => {
    await get('/', {}, 'HEAD');
    assert.equal((await get('/')).text, '<p>page 2</p>');
    assert.equal((await get('/', {}, 'HEAD')).status, 200);
    assert.equal(rendered, 2);
  });

  it('is rendered once for all who ask at the same time', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    release = promise;
    const asked = Array.from({ length: 10 }, () => get('/'));
    setTimeout(resolve, 50);
    const texts = (await Promise.all(asked)).map(({ text }) => text);
    assert.deepEqual([new Set(texts).size, rendered], [1, 1]);
  });

  it('is not stored where something has changed while it was rendered', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    release = promise;
    const first = get('/');
    setTimeout(() => (pages.drop(true), resolve()), 50);
    assert.equal((await first).text, '<p>page 1</p>');
    assert.equal((await get('/')).text, '<p>page 2</p>');
  });

  it('has each encoding with a tag of its own, and is not sent to those who have it', async () => {
    const tags = new Set<string>();
    for (const [offer, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip, br;q=0', 'gzip'],
      ['deflate', undefined],
    ] as const) {
      const sent = await get('/', { 'accept-encoding': offer });
      assert.deepEqual([sent.encoding, sent.text], [encoding, '<p>page 1</p>'], offer);
      assert.match(String(sent.headers['cache-control']), /^public, max-age=0, s-maxage=/);
      assert.equal(sent.headers.vary, 'accept-encoding, cookie');
      const known = await get('/', { 'accept-encoding': offer, 'if-none-match': sent.etag });
      assert.deepEqual([known.status, known.text, known.etag], [304, '', sent.etag]);
      tags.add(sent.etag);
    }
    assert.equal(tags.size, 3);
    assert.equal((await get('/', {}, 'HEAD')).text, '');
  });

  it('differs by cookies, and each answer has an id of its own', async () => {
    const [light, dark] = [await get('/', { cookie: 'light' }), await get('/', { cookie: 'dark' })];
    assert.notEqual(light.text, dark.text);
    const again = await get('/', { cookie: 'light' });
    assert.equal(again.text, light.text);
    assert.notEqual(again.headers['x-request-id'], light.headers['x-request-id']);
  });

  it('is rendered each time with a session, with a query, with a form, and while changes are not followed', async () => {
    for (const ask of [
      () => get('/', { cookie: 'session=1' }),
      () => get('/?page=2'),
      () => get('/form'),
    ]) {
      assert.notEqual((await ask()).text, (await ask()).text);
    }
    pages.drop(false);
    assert.notEqual((await get('/')).text, (await get('/')).text);
  });

  it('goes on where the first who asked leaves', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    release = promise;
    const gone = request({ port, path: '/', agent: false }).on('error', () => {});
    gone.end();
    await new Promise((asked) => setTimeout(asked, 30));
    const behind = get('/');
    await new Promise((asked) => setTimeout(asked, 30));
    gone.destroy();
    await new Promise((asked) => setTimeout(asked, 30));
    resolve();
    assert.equal((await behind).status, 200);
  });
});
