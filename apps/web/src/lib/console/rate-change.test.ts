import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTenfold, percentChange } from './rate-change.ts';

describe('the change of a rate', () => {
  it('is in percent, cut to two decimals toward zero, and null without a rate above zero', () => {
    const cases: readonly (readonly [string | null, string, string | null])[] = [
      ['0.90', '0.9450', '5.00'],
      ['1.25', '1.00', '-20.00'],
      ['0.92', '0.920000', '0.00'],
      ['3', '3.1', '3.33'],
      ['3', '2.9', '-3.33'],
      ['9', '9.5', '5.55'],
      ['1', '0.999999999999999999', '0.00'],
      ['0.000000000000000010', '0.000000000000000011', '10.00'],
      [null, '1.5', null],
      ['0', '1.5', null],
    ];
    for (const [before, after, percent] of cases)
      assert.equal(percentChange(before, after), percent, `${before} ${after}`);
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
