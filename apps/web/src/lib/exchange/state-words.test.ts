import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '@cambist/contract/exchanges';
import { standInMessages } from '#lib/test/stand-in.ts';

standInMessages();
const { nextText } = await import('./state-words.ts');

const sent = (state: Exchange['state'], kind: Exchange['send']['kind']) =>
  nextText({ state, send: { kind } as Exchange['send'] });

describe('what happens next', () => {
  it('asks for a reference only where a payment can have one', () => {
    assert.equal(sent('awaiting_payment', 'bank'), 'exchange_next_awaiting_payment_text');
    assert.equal(sent('awaiting_payment', 'chain'), 'exchange_next_awaiting_payment_text_chain');
  });

  it('is the same of all ways once it is paid', () => {
    assert.equal(sent('completed', 'chain'), 'exchange_next_completed_text');
  });
});
