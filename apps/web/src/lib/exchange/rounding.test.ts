import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRoundedDown, rateRoundedTo } from './rounding.ts';

const price = (exchanged_amount: string, rate: string, gross_amount: string) => ({
  exchanged_amount,
  rate,
  gross_amount,
});

describe('isRoundedDown', () => {
  it('is false for an exact product, however its figures are written', () => {
    assert.equal(isRoundedDown(price('500.00', '0.92', '460.00')), false);
    assert.equal(isRoundedDown(price('500.00', '0.920000', '460')), false);
    assert.equal(isRoundedDown(price('0.01', '100', '1')), false);
  });
  it('is true for a loss in the eighteenth decimal', () => {
    assert.equal(isRoundedDown(price('500.00', '0.92123', '460.61')), true);
    assert.equal(isRoundedDown(price('1.000000000000000001', '1', '1.00')), true);
    assert.equal(isRoundedDown(price('1.99', '1', '1')), true);
  });
});

describe('rateRoundedTo', () => {
  const of = (
    mid_rate: string | null,
    margin_percent: string,
    margin_absolute: string,
    rate: string,
  ) => rateRoundedTo({ mid_rate, margin_percent, margin_absolute, rate });

  it('returns the decimals that the rate was rounded down to', () => {
    assert.equal(of('0.860289', '0.65', '0', '0.8546'), 4);
    assert.equal(of('149.87', '0.5', '0', '149'), 0);
    assert.equal(of('0.92', '-0.01', '0', '0.92'), 2);
  });
  it('includes the absolute margin, and returns null for an exact rate', () => {
    assert.equal(of('0.92', '1', '0.0008', '0.9100'), null);
    assert.equal(of('0.92', '1', '0.0007', '0.9100'), 4);
    assert.equal(of('0.92', '1', '0', '0.910800'), null);
  });
  it('returns null without a mid rate', () => {
    assert.equal(of(null, '1', '0', '0.9'), null);
  });
});
