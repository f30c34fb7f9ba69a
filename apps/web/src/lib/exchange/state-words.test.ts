import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '@cambist/contract/exchanges';
import { standInMessages } from '#lib/test/stand-in.ts';

standInMessages();
const { isWithoutPayout, nextWords } = await import('./state-words.ts');

const sent = (state: Exchange['state'], kind: Exchange['send']['kind'], missing_amount = '20.00') =>
  nextWords({ state, send: { kind }, missing_amount, timeline: [] } as unknown as Exchange).text();

const approved = (actions: readonly string[], allowed: Exchange['allowed'] = []) => {
  const timeline = actions.map((action) => ({ action }));
  return nextWords({ state: 'approved', send: {}, timeline, allowed } as unknown as Exchange);
};

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

  it('tells of a payout that came back, and what can be done about it', () => {
    const returned = approved(['complete', 'reopen'], ['change_payout']);
    assert.equal(returned.title(), 'exchange_next_returned');
    assert.equal(returned.text(), 'exchange_next_returned_text');
    assert.equal(approved(['reopen']).text(), 'exchange_next_returned_locked');
    assert.equal(approved(['change_payout']).title(), 'exchange_next_approved');
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
