import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Decimal as Oracle } from 'decimal.js';
import fc from 'fast-check';
import { Exact, refuses } from '../test/oracle.ts';
import {
  add,
  ceilDivide,
  compare,
  divideDown,
  floorDivide,
  formatDecimal,
  multiply,
  one,
  parseDecimal,
  percentOf,
  roundDown,
  roundUp,
  subtract,
  tenTo,
  trimZeros,
  zero,
  type Decimal,
} from './decimal.ts';

const decimals = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 20 }))
  .chain(([digits, scale]) =>
    fc
      .bigInt({ min: -(10n ** BigInt(digits)), max: 10n ** BigInt(digits) })
      .map((units) => ({ units, scale })),
  );

function oracleOf(d: Decimal): Oracle {
  return new Exact(String(d.units)).div(new Exact(10).pow(d.scale));
}

describe('parseDecimal and formatDecimal', () => {
  it('keep the scale as written', () => {
    assert.deepEqual(parseDecimal('1.50'), { units: 150n, scale: 2 });
    assert.deepEqual(parseDecimal('-0.05'), { units: -5n, scale: 2 });
    assert.deepEqual(parseDecimal('12'), { units: 12n, scale: 0 });
    assert.equal(formatDecimal({ units: 150n, scale: 2 }), '1.50');
    assert.equal(formatDecimal({ units: -5n, scale: 2 }), '-0.05');
    assert.equal(formatDecimal({ units: 0n, scale: 3 }), '0.000');
  });

  it('know no negative zero', () => {
    assert.equal(formatDecimal(parseDecimal('-0.00')), '0.00');
  });

  it('refuse everything but digits with at most one point between them', () => {
    const texts = [
      '',
      '-',
      '.',
      '.5',
      '5.',
      '+1',
      ' 1',
      '1 ',
      '1\n',
      '1e5',
      '0x10',
      '1,5',
      '1.2.3',
    ];
    for (const text of [...texts, '--1', '1_000', '١٢', 'NaN', 'Infinity', '-.5']) {
      refuses('not_a_decimal', () => parseDecimal(text));
    }
  });

  it('read 60 digits and refuse 61, whatever the point and the sign', () => {
    const longest = `-${'9'.repeat(30)}.${'9'.repeat(30)}`;
    assert.equal(formatDecimal(parseDecimal(longest)), longest);
    refuses('too_many_digits', () => parseDecimal('9'.repeat(61)));
    refuses('too_many_digits', () => parseDecimal(`${'9'.repeat(31)}.${'9'.repeat(30)}`));
    refuses('too_many_digits', () => parseDecimal('9'.repeat(1_000_000)));
  });

  it('lose no digit', () => {
    fc.assert(
      fc.property(decimals, (d) => {
        assert.deepEqual(parseDecimal(formatDecimal(d)), d);
        assert.equal(formatDecimal(d).replace(/^-(0\.?0*)$/, '$1'), oracleOf(d).toFixed(d.scale));
      }),
    );
  });
});

describe('exact arithmetic', () => {
  it('agrees with the oracle', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const [x, y] = [oracleOf(a), oracleOf(b)];
        assert.ok(oracleOf(add(a, b)).equals(x.plus(y)));
        assert.ok(oracleOf(subtract(a, b)).equals(x.minus(y)));
        assert.ok(oracleOf(multiply(a, b)).equals(x.times(y)));
        assert.ok(oracleOf(percentOf(a, b)).equals(x.times(y).div(100)));
        assert.equal(compare(a, b), x.comparedTo(y));
      }),
    );
  });

  it('has its neutral elements', () => {
    fc.assert(
      fc.property(decimals, (d) => {
        assert.deepEqual(add(d, zero), d);
        assert.deepEqual(multiply(d, one), d);
      }),
    );
  });

  it('compares by value, not by scale', () => {
    assert.equal(compare(parseDecimal('1.5'), parseDecimal('1.50')), 0);
    assert.equal(compare(parseDecimal('-1.51'), parseDecimal('-1.5')), -1);
  });

  it('trims zeros behind the point only', () => {
    assert.equal(formatDecimal(trimZeros(parseDecimal('100.500'))), '100.5');
    assert.equal(formatDecimal(trimZeros(parseDecimal('100.00'))), '100');
    assert.equal(formatDecimal(trimZeros(parseDecimal('0.00'))), '0');
  });

  it('takes hundredths', () => {
    assert.equal(
      compare(percentOf(parseDecimal('1.5'), parseDecimal('200')), parseDecimal('3')),
      0,
    );
  });
});

describe('rounding', () => {
  it('goes toward −∞ and +∞, also below zero', () => {
    const digits = (text: string, round: typeof roundDown) =>
      formatDecimal(round(parseDecimal(text), 1));
    assert.equal(digits('1.25', roundDown), '1.2');
    assert.equal(digits('1.25', roundUp), '1.3');
    assert.equal(digits('-1.25', roundDown), '-1.3');
    assert.equal(digits('-1.25', roundUp), '-1.2');
    assert.equal(digits('1.20', roundUp), '1.2');
    assert.equal(digits('7', roundDown), '7.0');
  });

  it('agrees with the oracle', () => {
    fc.assert(
      fc.property(decimals, fc.integer({ min: 0, max: 25 }), (d, scale) => {
        const x = oracleOf(d);
        const down = roundDown(d, scale);
        assert.equal(down.scale, scale);
        assert.ok(oracleOf(down).equals(x.toDecimalPlaces(scale, Oracle.ROUND_FLOOR)));
        assert.ok(oracleOf(roundUp(d, scale)).equals(x.toDecimalPlaces(scale, Oracle.ROUND_CEIL)));
      }),
    );
  });

  it('divides with one rounding: the quotient is the largest that fits', () => {
    const nonZero = decimals.filter((d) => d.units !== 0n);
    fc.assert(
      fc.property(decimals, nonZero, fc.integer({ min: 0, max: 18 }), (a, b, scale) => {
        const quotient = oracleOf(divideDown(a, b, scale));
        const rest = oracleOf(a)
          .minus(quotient.times(oracleOf(b)))
          .div(oracleOf(b));
        assert.ok(rest.greaterThanOrEqualTo(0), 'rounded up');
        assert.ok(
          rest.times(new Exact(10).pow(scale)).lessThan(1),
          'rounded by more than one unit',
        );
      }),
    );
  });

  it('divides whole numbers toward −∞ and +∞', () => {
    assert.equal(floorDivide(7n, 2n), 3n);
    assert.equal(floorDivide(-7n, 2n), -4n);
    assert.equal(floorDivide(7n, -2n), -4n);
    assert.equal(floorDivide(-8n, 2n), -4n);
    assert.equal(ceilDivide(7n, 2n), 4n);
    assert.equal(ceilDivide(-7n, 2n), -3n);
    assert.equal(ceilDivide(8n, 2n), 4n);
  });

  it('refuses a division by zero and a scale that is none', () => {
    refuses('division_by_zero', () => divideDown(one, zero, 2));
    assert.throws(() => roundDown(one, -1), RangeError);
    assert.throws(() => roundDown(one, 1.5), RangeError);
  });

  it('knows powers of ten beyond its table', () => {
    for (const exponent of [0, 1, 63, 64, 120]) {
      assert.equal(String(tenTo(exponent)), `1${'0'.repeat(exponent)}`);
    }
  });
});
