import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isWithoutPayout } from './without-payout.ts';

describe('isWithoutPayout', () => {
  it('is true of every end but the payout', () => {
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
