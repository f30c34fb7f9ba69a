/** A session that ends under an open exchange: state is plain here, and the service refuses. */
import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { getExchange, type Exchange } from '@cambist/contract/exchanges';
import { standIn, standInMessages } from '#lib/stand-in.ts';

const same = <Value>(value: Value): Value => value;
Object.assign(globalThis, { $state: Object.assign(same, { raw: same }) });
standIn({
  '$app/env/public': `export const API_URL = 'https://api.test'`,
  '#lib/paraglide/runtime.js': `export const getLocale = () => 'en'`,
  '#lib/upload.ts': 'export const upload = () => globalThis.sent()',
});
standInMessages();
const { call } = await import('#lib/api.ts');
const { asked, madeFor, told } = await import('#lib/person.ts');
const { LiveExchange } = await import('./live.svelte.ts');
const { ProofUploads } = await import('./uploads.svelte.ts');

const exchange = { number: 'CX-1', version: 1, server_time: '2026-11-22T10:00:00Z', proofs: [] };
const opened = () => new LiveExchange(exchange as unknown as Exchange);
const proof = () => new File(['%PDF-1.7'], 'proof.pdf', { type: 'application/pdf' });

let status: number;
Object.assign(globalThis, { sent: () => call(getExchange, { params: { number: 'CX-1' } }) });
mock.method(globalThis, 'fetch', () =>
  Promise.resolve(Response.json({ data: exchange }, { status })),
);

describe('an exchange that is looked at', () => {
  it('is known to be shown to nobody any more once a look is refused for that', async () => {
    const live = opened();
    for (const [answer, signedOut] of [
      [401, true],
      [200, false],
      [500, false],
    ] as const) {
      status = answer;
      await live.refresh();
      assert.equal(live.signedOut, signedOut, String(answer));
    }
  });
});

describe('a proof on its way', () => {
  it('offers the way to sign in again where that is what it lacks', async () => {
    for (const [answer, signedOut] of [
      [401, true],
      [500, false],
    ] as const) {
      status = answer;
      const uploads = new ProofUploads(opened());
      uploads.add([proof()]);
      const one = uploads.list[0];
      assert.ok(one);
      while (one.state === 'sending') await new Promise(setImmediate);
      assert.deepEqual([one.state, one.signedOut], ['failed', signedOut]);
    }
  });
});

describe('an exchange whose tab somebody else has signed in to', () => {
  const found: string[] = [];
  const answers = (now: Record<string, () => Response>) =>
    mock.method(globalThis, 'fetch', (url: URL | string) => {
      const answer = now[new URL(url).pathname];
      assert.ok(answer, String(url));
      return Promise.resolve(answer());
    });
  const gone = () => Response.json({ code: 'not_found', message: 'Not found.' }, { status: 404 });

  it('is found out to be theirs no more, and theirs again where the same person finds nothing, or it again', async () => {
    madeFor({
      person: () => 'mira',
      displaced: () => undefined,
      met: () => found.push('another'),
      present: () => found.push('present'),
    });
    for (const [id, told] of [
      ['uwe', 'another'],
      ['mira', 'present'],
    ] as const) {
      found.length = 0;
      answers({ '/api/exchanges/CX-1': gone, '/api/user': () => Response.json({ id }) });
      const live = opened();
      await live.refresh();
      assert.deepEqual([live.signedOut, found], [false, [told]]);
      found.length = 0;
      answers({ '/api/exchanges/CX-1': () => Response.json({ data: exchange }) });
      await live.refresh();
      assert.deepEqual(found, ['present']);
    }
  });

  it('stays theirs while a look is answered that was under way as somebody else was met', async () => {
    found.length = 0;
    madeFor({
      person: () => 'mira',
      displaced: () => found.push('another'),
      met: () => undefined,
      present: () => found.push('present'),
    });
    const { promise, resolve } = Promise.withResolvers<Response>();
    mock.method(globalThis, 'fetch', () => promise);
    const looking = opened().refresh();
    told(
      { status: 409, code: 'signed_in_as_another', message: '', errors: {}, request_id: null },
      asked(),
    );
    resolve(Response.json({ data: exchange }));
    await looking;
    assert.deepEqual(found, ['another']);
  });
});
