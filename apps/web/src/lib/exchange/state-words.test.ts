import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '@cambist/contract/exchanges';
import { standInMessages } from '#lib/test/stand-in.ts';

standInMessages();
const { isWithoutPayout, nextWords } = await import('./state-words.ts');

const sent = (state: Exchange['state'], kind: Exchange['send']['kind'], missing = '20.00') =>
  nextWords({ state, send: { kind } as Exchange['send'], missing_amount: missing }).text;

describe('the next step', () => {
  it('asks for a reference only where a payment can have one', () => {
    assert.equal(sent('awaiting_payment', 'bank'), 'exchange_next_awaiting_payment_text');
    assert.equal(sent('awaiting_payment', 'chain'), 'exchange_next_awaiting_payment_text_chain');
  });

  it('asks for no money where all of it was received', () => {
    for (const kind of ['bank', 'chain'] as const)
      assert.equal(sent('awaiting_payment', kind, '0.00'), 'exchange_next_received_text');
    assert.equal(sent('approved', 'bank', '0.00'), 'exchange_next_approved_text');
  });

  it('is the same for all channels once it is paid', () => {
    assert.equal(sent('completed', 'chain'), 'exchange_next_completed_text');
  });
});

describe('isWithoutPayout', () => {
  it('is true for every final state but the payout', () => {
    for (const state of ['cancelled', 'expired', 'rejected', 'refund_pending', 'refunded'] as const)
      assert.equal(isWithoutPayout(state), true, state);
  });
  it('is false while a payout may come, and after it', () => {
    for (const state of [
      'awaiting_payment',
      'payment_submitted',
      'under_review',
      'on_hold',
      'approved',
      'completed',
    ] as const)
      assert.equal(isWithoutPayout(state), false, state);
  });
});
