import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openingAmount, rateAt } from './customer-rate.ts';

const pair = { margin_percent: '0.5', margin_absolute: '0', rate_digits: 6 };

describe('rateAt', () => {
  it('takes both margins off the mid rate, rounded down to the digits of the pair', () => {
    assert.equal(rateAt(pair, '0.92'), '0.915400');
    assert.equal(rateAt({ ...pair, margin_percent: '0' }, '0.9216401'), '0.921640');
    assert.equal(rateAt({ ...pair, margin_absolute: '0.0154001' }, '0.92'), '0.899999');
    assert.equal(rateAt({ ...pair, margin_absolute: '-0.01' }, '0.92'), '0.925400');
  });

  it('is none where nothing is left', () => {
    assert.equal(rateAt({ ...pair, rate_digits: 2 }, '0.0001'), null);
    assert.equal(rateAt({ ...pair, margin_absolute: '1' }, '0.92'), null);
  });
});

describe('openingAmount', () => {
  it('is ten times the least, within the limits', () => {
    assert.equal(openingAmount('25.00', '25000.00', 2), '250.00');
    assert.equal(openingAmount('25.00', '100.00', 2), '25.00');
  });

  it('is nothing while the limits are being typed', () => {
    assert.equal(openingAmount('', '25000.00', 2), '');
    assert.equal(openingAmount('1.001', '25000.00', 2), '');
  });
});
