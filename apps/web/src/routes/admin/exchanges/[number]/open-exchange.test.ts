/** A payout whose answer is lost: state is plain here, and the service is an answer made for it. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it, mock } from 'node:test';
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import { standIn, standInMessages } from '#lib/test/stand-in.ts';

const same = <Value>(value: Value): Value => value;
Object.assign(globalThis, {
  $state: Object.assign(same, { raw: same }),
  document: { cookie: 'XSRF-TOKEN=token' },
});
standIn({
  '$app/env/public': `export const API_URL = 'https://api.test'`,
  '#lib/account/confirmation.svelte.ts': 'export const withConfirmation = (send) => send()',
});
standInMessages();
const { OpenExchange } = await import('./open-exchange.svelte.ts');

const approved = {
  number: 'CX-1',
  version: 3,
  state: 'approved',
  payout_reference: null,
  claim: null,
  timeline: [],
  proofs: [],
  server_time: '2026-11-22T10:00:00Z',
} as unknown as DeskExchangeDetail;
const paidOut = (payout_reference: string, mine = true) =>
  ({
    ...approved,
    version: 4,
    state: 'completed',
    payout_reference,
    timeline: [{ id: 1, action: 'complete', mine }],
  }) as unknown as DeskExchangeDetail;

/** What the service answers, one after the other; null where the answer is lost. */
let answers: (Response | null)[];
const stands = (detail: DeskExchangeDetail) => Response.json({ data: detail });
const refused = () =>
  Response.json({ code: 'version_conflict', message: 'It has changed.' }, { status: 409 });

describe('a payout', () => {
  beforeEach(() => {
    mock.method(globalThis, 'fetch', () => {
      const answer = answers.shift();
      return answer ? Promise.resolve(answer) : Promise.reject(new TypeError('lost'));
    });
  });

  it('is this one’s where the answer to it was lost, however that is learned', async () => {
    const read = new OpenExchange(approved);
    answers = [null, stands(paidOut('SEPA-1'))];
    assert.equal(await read.complete('SEPA-1'), false);
    assert.deepEqual([read.isPaidFromHere, read.lostPayout], [false, null]);
    await read.refresh();
    assert.deepEqual([read.isPaidFromHere, read.lostPayout], [true, 'booked']);
    read.settle();
    assert.equal(read.lostPayout, null);

    const changed = new OpenExchange(approved);
    answers = [null, refused(), stands(paidOut('SEPA-1'))];
    await changed.complete('SEPA-1');
    assert.equal(await changed.complete('SEPA-12'), false);
    assert.deepEqual([changed.isPaidFromHere, changed.detail.payout_reference], [true, 'SEPA-1']);

    const decided = new OpenExchange({ ...approved, state: 'under_review' });
    answers = [null, stands(paidOut('SEPA-1'))];
    await decided.approve({ received_amount: '5', payout_reference: 'SEPA-1' });
    await decided.refresh();
    assert.equal(decided.isPaidFromHere, true);
  });

  it('is another one under another reference or by somebody else, which is told', async () => {
    for (const paid of [paidOut('SEPA-2'), paidOut('SEPA-1', false)]) {
      const open = new OpenExchange(approved);
      answers = [null, stands(paid)];
      await open.complete('SEPA-1');
      await open.refresh();
      assert.deepEqual([open.isPaidFromHere, open.lostPayout], [false, 'paid_by_other']);
    }
  });

  it('is not this one’s where the one sent was refused', async () => {
    const open = new OpenExchange(approved);
    answers = [refused(), stands(paidOut('SEPA-1'))];
    await open.complete('SEPA-1');
    assert.deepEqual([open.isPaidFromHere, open.lostPayout], [false, null]);
  });

  it('is nothing to be told of any more where a second press was answered', async () => {
    const open = new OpenExchange(approved);
    answers = [null, stands(paidOut('SEPA-12'))];
    await open.complete('SEPA-1');
    assert.equal(await open.complete('SEPA-12'), true);
    assert.deepEqual([open.detail.state, open.lostPayout], ['completed', null]);
  });
});
