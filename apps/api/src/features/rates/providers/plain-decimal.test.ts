import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { compare, parseDecimal } from '@cambist/money/decimal';
import { plainDecimal } from './plain-decimal.ts';

it('keeps each digit up to the 18th decimal and writes exponents out', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['1.50', '1.50'],
    ['0.123456789012345678', '0.123456789012345678'],
    ['0.1234567890123456789', '0.123456789012345678'],
    ['-0.9999999999999999999', '-0.999999999999999999'],
    ['1e-7', '0.0000001'],
    ['1.5E+3', '1500'],
    ['12.55e1', '125.5'],
    ['123e-2', '1.23'],
    ['0.00012e3', '0.12'],
    ['1e00000001', '10'],
    ['0', '0'],
    ['0e99999999', '0'],
    ['0.0000000000000000001e1', '0.000000000000000001'],
    ['1e41', `1${'0'.repeat(41)}`],
    ['9'.repeat(42), '9'.repeat(42)],
  ];
  for (const [numeral, expected] of cases) assert.equal(plainDecimal(numeral), expected, numeral);
});

it('makes no decimal of what the database cannot hold', () => {
  for (const numeral of ['1e42', '9'.repeat(43), '1e400', '1e99999999999', '7'.repeat(900_000)]) {
    assert.throws(() => parseDecimal(plainDecimal(numeral)), numeral.slice(0, 20));
  }
});

it('makes no 0 of what is only too small for the database', () => {
  const small = ['1e-30', '-1e-19', '0.0000000000000000009', '1e-99999999999'];
  for (const numeral of small)
    assert.equal(plainDecimal(numeral), 'too small', numeral.slice(0, 25));
});

it('shows the beginning of what has too many digits', () => {
  const sevens = '7'.repeat(3000);
  const cases: readonly (readonly [string, string])[] = [
    [`0.${sevens}`, '0.77777777…'],
    [`-41.${sevens}`, '-41.77777777…'],
    [`0.${sevens}e3`, '777.77777777…'],
    [`${sevens}e-3000`, '0.77777777…'],
    [sevens, 'too large'],
    [`0.${'0'.repeat(3000)}1`, 'too small'],
  ];
  for (const [numeral, shown] of cases) {
    assert.equal(plainDecimal(numeral), shown, numeral.slice(0, 10));
    assert.throws(() => parseDecimal(shown));
  }
});

it('says the same number as the text with an exponent', () => {
  const digits = fc.bigInt({ min: 0n, max: 10n ** 17n });
  fc.assert(
    fc.property(digits, digits, fc.integer({ min: -20, max: 20 }), (whole, fraction, power) => {
      const numeral = `${whole}.${fraction}e${power}`;
      // The model moves the point one place at a time.
      let text = `${'0'.repeat(25)}${whole}.${fraction}${'0'.repeat(25)}`;
      for (let step = Math.abs(power); step > 0; step -= 1) {
        text = power > 0 ? text.replace(/\.(\d)/, '$1.') : text.replace(/(\d)\./, '.$1');
      }
      const [before = '', after = ''] = text.split('.');
      const slow = `${before.replace(/^0+(?=\d)/, '')}.${after.slice(0, 18)}`;
      const plain = plainDecimal(numeral);
      const said = plain === 'too small' ? '0' : plain;
      assert.equal(compare(parseDecimal(said), parseDecimal(slow)), 0, numeral);
    }),
  );
});
