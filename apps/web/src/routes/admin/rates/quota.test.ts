import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { quotaSum } from './quota.ts';

describe('the quota of a plan', () => {
  it('is enough from the last request of a long month on', () => {
    assert.deepEqual(quotaSum(744, 744), { left: 0, lastDay: null });
    assert.deepEqual(quotaSum(1500, 744), { left: 756, lastDay: null });
    assert.deepEqual(quotaSum(743, 744), { left: -1, lastDay: 31 });
  });

  it('names the day on which its last request falls', () => {
    assert.equal(quotaSum(1, 744).lastDay, 1);
    assert.equal(quotaSum(24, 744).lastDay, 1);
    assert.equal(quotaSum(25, 744).lastDay, 2);
    assert.equal(quotaSum(100, 744).lastDay, 5);
    assert.equal(quotaSum(300, 744).lastDay, 13);
    assert.equal(quotaSum(100, 124).lastDay, 25);
    assert.deepEqual(quotaSum(100, 93), { left: 7, lastDay: null });
  });
});
