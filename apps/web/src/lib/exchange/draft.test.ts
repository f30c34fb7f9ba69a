import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entryOf, forgetDraft, readDraft, writeDraft, type Draft } from './draft.ts';

function memory(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

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
  it('comes back as it was left, with the key of the order', () => {
    const storage = memory();
    assert.equal(writeDraft(storage, draft), true);
    assert.deepEqual(readDraft(storage, 'u1'), draft);
  });
  it('is not shown to another user of the same tab', () => {
    const storage = memory();
    writeDraft(storage, draft);
    assert.equal(readDraft(storage, 'u2'), null);
  });
  it('is gone once it is forgotten', () => {
    const storage = memory();
    writeDraft(storage, draft);
    forgetDraft(storage);
    assert.equal(readDraft(storage, 'u1'), null);
  });
  it('survives a storage that is full, forbidden or holds something else', () => {
    const full = {
      ...memory(),
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    };
    assert.equal(writeDraft(full, draft), false);
    assert.equal(writeDraft(null, draft), false);
    assert.equal(readDraft(null, 'u1'), null);
    const odd = memory();
    odd.setItem('exchange-draft', '{"format":99,"draft":{}}');
    assert.equal(readDraft(odd, 'u1'), null);
    odd.setItem('exchange-draft', 'not json');
    assert.equal(readDraft(odd, 'u1'), null);
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
