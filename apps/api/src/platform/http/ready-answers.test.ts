/** Over a socket: injected requests do not come to the server's own listener. */
import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { get, type IncomingHttpHeaders } from 'node:http';
import { after, beforeEach, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { eventually } from '#test/eventually.ts';
import { startTestApi } from '#test/harness.ts';
import { settings } from '#features/content/settings/routes.ts';
import { settingsName } from '#features/content/settings/settings.ts';
import { transaction } from '#platform/db/database.ts';
import { openLog } from '#platform/log.ts';

const PATH = '/api/settings/home-page';
const ORIGIN = 'http://localhost:4000';
const lines: string[] = [];
const log = openLog({ logLevel: 'info' }, { write: (line) => void lines.push(line) });
const api = await startTestApi({ after }, { features: [settings], log });

let byFramework = 0;
subscribe('tracing:fastify.request.handler:start', () => {
  byFramework += 1;
});

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

async function read(headers: Record<string, string> = {}, from = api): Promise<Received> {
  const url = (await from.url()) + PATH;
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts),
        }),
      );
    }).on('error', reject);
  });
}

/** That of the framework, which answers what may have a body, and the one that is ready after it. */
async function both(headers: Record<string, string> = {}): Promise<[Received, Received]> {
  byFramework = 0;
  const framed = await read({ ...headers, 'content-length': '0' });
  const ready = await read(headers);
  assert.equal(byFramework, 1);
  return [framed, ready];
}

const comparable = ({ status, headers, body }: Received) => {
  const { date: _date, 'x-request-id': id, ...rest } = headers;
  assert.match(String(id), /^[\w-]{36}$/);
  return { status, headers: rest, body: body.toString('base64') };
};

const isReady = () => api.deps.published.ready(PATH) !== undefined;
beforeEach(() => eventually('an answer is ready', async () => (await read()) && isReady()));

describe('a ready answer', () => {
  for (const [what, headers] of [
    ['', {}],
    [' to a script of the site', { origin: ORIGIN }],
    [' to a script of another site', { origin: 'https://elsewhere.example' }],
    [' in Brotli', { 'accept-encoding': 'gzip, br' }],
    [' in gzip', { 'accept-encoding': 'gzip, br;q=0' }],
  ] as const) {
    it(`is the framework's${what}`, async () => {
      const [framed, ready] = await both(headers);
      assert.deepEqual(comparable(ready), comparable(framed));
      assert.equal(ready.status, 200);
    });
  }

  it('is the same in each encoding, and is not sent again to who has it in any', async () => {
    const [{ body, headers }] = await both();
    const [, br] = await both({ 'accept-encoding': 'br' });
    const [, zipped] = await both({ 'accept-encoding': 'gzip' });
    assert.deepEqual(brotliDecompressSync(br.body), body);
    assert.deepEqual(gunzipSync(zipped.body), body);
    const tags = [headers, br.headers, zipped.headers].map(({ etag }) => String(etag));
    assert.equal(new Set(tags).size, 3);
    for (const tag of tags) {
      const answers = await both({ 'if-none-match': tag });
      assert.deepEqual(comparable(answers[1]), comparable(answers[0]));
      assert.deepEqual([answers[1].status, answers[1].body.length], [304, 0]);
    }
  });

  it('is logged like the framework’s', async () => {
    const ids = (await both()).map(({ headers }) => headers['x-request-id']);
    const logged = () =>
      lines.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line));
    const lineOf = (id: unknown) => logged().find(({ request_id: its }) => its === id);
    await eventually('both are logged', () => ids.every(lineOf));
    const [framed, ready] = ids.map(lineOf);
    assert.ok(ready.msg.startsWith('GET /api/settings/:slug answered 200'), ready.msg);
    assert.deepEqual(Object.keys(ready), Object.keys(framed));
    assert.match(ready.request_id, /^[\w-]{36}$/);
    assert.equal(ready.ip, '127.0.0.1');
  });

  it('is not what was true before a change, from the moment the change is committed', async () => {
    const { data } = JSON.parse(String((await read()).body));
    for (const title of ['One price', 'Two prices', 'Three prices']) {
      await eventually('an answer is ready', async () => (await read()) && isReady());
      const value = { ...data, hero: { ...data.hero, title } };
      await transaction(api.db, async (tx) => {
        await tx
          .insertInto('settings')
          .values({ slug: 'home-page', value, version: 1, saved_by: null, saved_by_name: null })
          .onConflict((conflict) => conflict.column('slug').doUpdateSet({ value }))
          .execute();
        await api.deps.published.changed(tx, settingsName('home-page'));
      });
      assert.equal(JSON.parse(String((await read()).body)).data.hero.title, title);
    }
  });

  it('counts against the limit of reads, and is refused beyond it like any other', async () => {
    const limited = await startTestApi(
      { after },
      { features: [settings], env: { THROTTLE_SCALE: '0.01' } },
    );
    const answers: Received[] = [];
    for (let count = 1; count <= 8; count += 1) answers.push(await read({}, limited));
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers['x-ratelimit-remaining']]),
      [...[5, 4, 3, 2, 1, 0].map((left) => [200, String(left)]), [429, '0'], [429, '0']],
    );
    assert.equal(JSON.parse(String(answers.at(-1)?.body)).code, 'too_many_attempts');
  });
});
