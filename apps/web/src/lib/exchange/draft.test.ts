import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { entryOf, readDraft, removeDraft, storeDraft, type Draft } from './draft.ts';

const draft: Draft = {
  user_id: 'u1',
  entry: 'usd-eur|send|500.00||',
  pair: 'usd-eur',
  side: 'send',
  amount: '500.00',
  answers: { payout_fields: { iban: 'DE89370400440532013000' }, sender_fields: {} },
  terms_accepted: true,
  quote: null,
  clock_offset_ms: 0,
  attempt: { key: 'k1', body: { quote_token: 't', payout_fields: {}, terms_accepted: true } },
};

describe('the draft', () => {
  beforeEach(() => sessionStorage.clear());

  it('comes back as it was left, with the key of the order, until it is removed', () => {
    storeDraft(draft);
    assert.deepEqual(readDraft('u1'), draft);
    removeDraft();
    assert.equal(readDraft('u1'), null);
  });
  it('is not shown to another user of the same tab', () => {
    storeDraft(draft);
    assert.equal(readDraft('u2'), null);
  });
  it('is none where something else is stored', () => {
    for (const odd of ['{"format":99,"draft":{"user_id":"u1"}}', 'not json', '1']) {
      sessionStorage.setItem('exchange-draft', odd);
      assert.equal(readDraft('u1'), null);
    }
  });
});

describe('entryOf', () => {
  it('tells a new arrival from a reload, whatever the step', () => {
    const entry = (query: string) => entryOf(new URLSearchParams(query));
    assert.equal(
      entry('pair=usd-eur&side=send&amount=5&step=review'),
      entry('pair=usd-eur&side=send&amount=5'),
    );
    assert.notEqual(
      entry('pair=usd-eur&side=send&amount=5'),
      entry('pair=usd-eur&side=send&amount=6'),
    );
  });
});
