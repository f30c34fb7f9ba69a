import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { areApartBriefly, briefDecimal, briefly } from './brief.ts';

describe('briefDecimal', () => {
  it('keeps eight digits from the first that is not zero on, unrounded', () => {
    assert.equal(briefDecimal('0.876543210987654321'), '0.87654321');
    assert.equal(briefDecimal('0.000321482914937999'), '0.00032148291');
    assert.equal(briefDecimal('82030.240019283799'), '82030.240');
    assert.equal(briefDecimal('1234567890.123456'), '1234567890.12');
  });
  it('leaves what is short enough', () => {
    for (const rate of ['1', '0.0000118997', '82030.24001', '1733.923', '0.8765432109', '0.00'])
      assert.equal(briefDecimal(rate), null, rate);
  });
});

describe('briefly', () => {
  it('marks what was cut off, and leaves what is short enough', () => {
    assert.equal(briefly('0.876543210987654321'), '0.87654321…');
    assert.equal(briefly('0.8765432109'), '0.8765432109');
  });
});

describe('figures side by side', () => {
  const long = '0.876543210987654321';

  it('are apart where they differ in what is left of them, or are the same', () => {
    assert.ok(areApartBriefly([long, '0.87654322', long]));
    // The mark alone tells them apart.
    assert.ok(areApartBriefly([long, '0.87654321']));
  });

  it('are not apart where they differ further behind', () => {
    assert.ok(!areApartBriefly([long, '1.2', '0.876543210987654322']));
  });
});
