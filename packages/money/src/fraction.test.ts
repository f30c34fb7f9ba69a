import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatShortest, type MoneyError, parseDecimal, shortest } from './decimal.ts';
import {
  compareFractions,
  fraction,
  inverse,
  minus,
  over,
  plus,
  times,
  whole,
  type Fraction,
} from './fraction.ts';

const big = (min?: bigint) => fc.bigInt(min === undefined ? {} : { min });
const any: fc.Arbitrary<Fraction> = fc.record({ numerator: big(), denominator: big(1n) });
const isZero = ({ numerator }: Fraction) => numerator === 0n;

describe('fractions', () => {
  it('keep a denominator above zero, whatever is done to them', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        const made = [plus(a, b), minus(a, b), times(a, b), ...(isZero(b) ? [] : [over(a, b)])];
        assert.ok(made.every(({ denominator }) => denominator > 0n));
      }),
    );
  });

  it('are exact: what was added or multiplied goes off again', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        assert.equal(compareFractions(minus(plus(a, b), b), a), 0);
        if (!isZero(b)) assert.equal(compareFractions(over(times(a, b), b), a), 0);
      }),
    );
  });

  it('are made of decimals and whole numbers, and turned', () => {
    assert.deepEqual(fraction(parseDecimal('-1.50')), { numerator: -150n, denominator: 100n });
    assert.deepEqual(inverse(fraction(parseDecimal('-0.5'))), {
      numerator: -10n,
      denominator: 5n,
    });
    assert.equal(compareFractions(whole(3n), { numerator: 7n, denominator: 2n }), -1);
    assert.equal(compareFractions(whole(3n), { numerator: 5n, denominator: 2n }), 1);
  });

  it('are not divided by zero', () => {
    for (const act of [() => over(whole(1n), whole(0n)), () => inverse(whole(0n))])
      assert.throws(act, (error) => (error as MoneyError).code === 'division_by_zero');
  });
});

describe('the shortest way to write a decimal', () => {
  it('has no zeros at its end, and the same value', () => {
    assert.equal(shortest('1.500'), '1.5');
    assert.equal(shortest('-20.00'), '-20');
    assert.equal(shortest('100'), '100');
    assert.equal(formatShortest({ units: 1230n, scale: 3 }), '1.23');
  });
});
