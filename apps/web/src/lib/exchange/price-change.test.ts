import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSamePrice, priceChange } from './price-change.ts';

describe('priceChange', () => {
  const before = { send_amount: '500.00', rate: '0.921640', receive_amount: '458.51' };
  it('gives the exact difference and who benefits', () => {
    const after = { send_amount: '500.00', rate: '0.92101', receive_amount: '458.2' };
    assert.deepEqual(priceChange(before, after), [
      {
        what: 'send_amount',
        before: '500.00',
        after: '500.00',
        difference: '0.00',
        effect: 'same',
      },
      {
        what: 'rate',
        before: '0.921640',
        after: '0.92101',
        difference: '-0.000630',
        effect: 'worse',
      },
      {
        what: 'receive_amount',
        before: '458.51',
        after: '458.2',
        difference: '-0.31',
        effect: 'worse',
      },
    ]);
  });
  it('counts sending more as worse', () => {
    const [send] = priceChange(before, { ...before, send_amount: '500.01' });
    assert.equal(send?.effect, 'worse');
    assert.equal(send?.difference, '0.01');
  });
  it('keeps every digit of amounts beyond a number’s precision', () => {
    const huge = {
      send_amount: '1',
      rate: '1',
      receive_amount: '1000000000000000000000000.000000000000000001',
    };
    const [, , line] = priceChange(huge, {
      ...huge,
      receive_amount: '1000000000000000000000000.000000000000000002',
    });
    assert.equal(line?.difference, '0.000000000000000001');
    assert.equal(line?.effect, 'better');
  });
  it('treats prices that differ in trailing zeros as the same', () => {
    assert.equal(isSamePrice(before, { ...before, rate: '0.92164' }), true);
    assert.equal(isSamePrice(before, { ...before, rate: '0.92165' }), false);
  });
});
