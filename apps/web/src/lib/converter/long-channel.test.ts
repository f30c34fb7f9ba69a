import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLongChannel } from './long-channel.ts';

describe('isLongChannel', () => {
  it('is false for names that fit in three lines beside the amount', () => {
    for (const channel of ['SEPA transfer', 'TRON (TRC-20)', 'Visa or Mastercard', 'M-Pesa'])
      assert.equal(isLongChannel(channel), false, channel);
    assert.equal(isLongChannel('Bank or cash, or by any card'), false);
  });
  it('is true for more lines, and for a word wider than a line', () => {
    assert.equal(isLongChannel('Bank or cash, or by any cards'), true);
    assert.equal(isLongChannel('Banküberweisung'), true);
  });
});
