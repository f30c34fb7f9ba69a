import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTenfold, rateChange, rateFault } from './rate-change.ts';

describe('rateChange', () => {
  it('gives the change in percent with its direction', () => {
    assert.deepEqual(rateChange('0.90', '0.9450'), { percent: '5.00', direction: 'up' });
    assert.deepEqual(rateChange('1.25', '1.00'), { percent: '-20.00', direction: 'down' });
  });

  it('compares by value, not by how many zeros are written', () => {
    assert.deepEqual(rateChange('0.92', '0.920000'), { percent: '0.00', direction: 'none' });
  });

  it('never shows a change larger than it is, whichever way it goes', () => {
    assert.equal(rateChange('3', '3.1')?.percent, '3.33');
    assert.equal(rateChange('3', '2.9')?.percent, '-3.33');
    assert.equal(rateChange('9', '9.5')?.percent, '5.55');
  });

  it('keeps the direction of a change too small to be written', () => {
    assert.deepEqual(rateChange('1576000', '1576000.000000000001'), {
      percent: '0.00',
      direction: 'up',
    });
    assert.deepEqual(rateChange('1', '0.999999999999999999'), {
      percent: '0.00',
      direction: 'down',
    });
  });

  it('compares rates of 18 decimals exactly', () => {
    assert.equal(rateChange('0.000000000000000010', '0.000000000000000011')?.percent, '10.00');
  });

  it('has nothing to say without a rate before', () => {
    assert.equal(rateChange(null, '1.5'), null);
    assert.equal(rateChange('0', '1.5'), null);
  });
});

describe('isTenfold', () => {
  it('is true of ten times and of a tenth themselves, and exact there', () => {
    for (const percent of ['899.999999', '-89.999999', '0', '41.17647'])
      assert.ok(!isTenfold(percent), percent);
    for (const percent of ['900', '-90', '900.000001', '-90.000001', `1${'0'.repeat(23)}`])
      assert.ok(isTenfold(percent), percent);
  });
});

describe('rateFault', () => {
  it('names what keeps a figure from being a rate', () => {
    assert.equal(rateFault(''), 'missing');
    assert.equal(rateFault('0'), 'zero');
    assert.equal(rateFault('0.000'), 'zero');
    assert.equal(rateFault(`1${'0'.repeat(30)}`), 'too_long');
    assert.equal(rateFault('1.0000000000000000001'), 'too_long');
  });
  it('finds none in what the service takes', () => {
    assert.equal(rateFault('0.000000000000000001'), null);
    assert.equal(rateFault(`1${'0'.repeat(29)}`), null);
    assert.equal(rateFault('0.92'), null);
  });
});
