import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { roundLimit } from './round-limit.ts';

describe('roundLimit', () => {
  it('drops trailing zeros', () => {
    assert.equal(roundLimit('25.00'), '25');
    assert.equal(roundLimit('0.010000000000000000'), '0.01');
    assert.equal(roundLimit('20.000000000000000000'), '20');
  });
  it('keeps two digits of cents and every significant digit', () => {
    assert.equal(roundLimit('2.50'), '2.50');
    assert.equal(roundLimit('0.00125000'), '0.00125');
  });
});
