import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRoundedDown } from './rounding.ts';

const price = (exchanged_amount: string, rate: string, gross_amount: string) => ({
  exchanged_amount,
  rate,
  gross_amount,
});

describe('isRoundedDown', () => {
  it('knows a product that came out even, however its figures are written', () => {
    assert.equal(isRoundedDown(price('500.00', '0.92', '460.00')), false);
    assert.equal(isRoundedDown(price('500.00', '0.920000', '460')), false);
    assert.equal(isRoundedDown(price('0.01', '100', '1')), false);
  });
  it('knows one that lost something, were it the eighteenth decimal', () => {
    assert.equal(isRoundedDown(price('500.00', '0.92123', '460.61')), true);
    assert.equal(isRoundedDown(price('1.000000000000000001', '1', '1.00')), true);
    assert.equal(isRoundedDown(price('1.99', '1', '1')), true);
  });
});
