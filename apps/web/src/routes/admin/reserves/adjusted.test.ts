import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { adjusted } from './adjusted.ts';

describe('adjusted', () => {
  it('adds and takes exactly', () => {
    assert.deepEqual(adjusted('41208.77', 'in', '0.03', 2), { kind: 'result', after: '41208.80' });
    assert.deepEqual(adjusted('41208.77', 'out', '41208.77', 2), { kind: 'result', after: '0.00' });
    assert.deepEqual(adjusted('1000000000000000000000', 'in', '0.000000000000000001', 18), {
      kind: 'result',
      after: '1000000000000000000000.000000000000000001',
    });
  });

  it('says how much is lacking', () => {
    assert.deepEqual(adjusted('10.00', 'out', '10.01', 2), { kind: 'lacking', missing: '0.01' });
  });

  it('takes neither nothing nor more decimals than there are', () => {
    assert.deepEqual(adjusted('10.00', 'in', '0', 2), { kind: 'unreadable' });
    assert.deepEqual(adjusted('10.00', 'in', '', 2), { kind: 'empty' });
    assert.deepEqual(adjusted('10', 'in', '0.5', 0), { kind: 'too_many_decimals' });
  });
});
