/** A session that ends under an open exchange: state is plain here, and the service refuses. */
import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { getExchange, type Exchange } from '@cambist/contract/exchanges';
import { standIn, standInMessages } from '#lib/test/stand-in.ts';

const same = <Value>(value: Value): Value => value;
Object.assign(globalThis, { $state: Object.assign(same, { raw: same }) });
standIn({
  '$app/env/public': `export const API_URL = 'https://api.test'`,
  '#lib/paraglide/runtime.js': `export const getLocale = () => 'en'`,
  '#lib/api/upload.ts': 'export const upload = () => globalThis.sent()',
});
standInMessages();
const { call } = await import('#lib/api/client.ts');
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
