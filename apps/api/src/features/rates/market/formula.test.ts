import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatDecimal, parseDecimal, tenTo } from '@cambist/money/decimal';
import { marketOf, type AcceptedRate } from './cross.ts';
import { evaluateFormula, formulaUnits, parseFormula } from './formula.ts';

const NOON = new Date('2026-03-14T12:00:00Z');
const times = { asOf: NOON, confirmedAt: NOON, freshUntil: NOON };

const RATES: readonly AcceptedRate[] = [
  { unit: 'USD', base: 'EUR', rate: '1.25', inverted: false, provider: 'fixer', ...times },
  { unit: 'BTC', base: 'USD', rate: '50000.5', inverted: true, provider: 'coingecko', ...times },
  { unit: '1INCH', base: 'USD', rate: '3', inverted: false, provider: 'coingecko', ...times },
];
const market = marketOf(RATES, NOON);

function come(text: string) {
  const read = parseFormula(text);
  const result = read.ok ? evaluateFormula(read.formula, market) : read;
  return result.ok ? formatDecimal(result.rate.rate) : `${result.at}: ${result.message}`;
}

/** A random formula with its exact value, computed without the parser. */
interface Made {
  readonly text: string;
  readonly value: readonly [bigint, bigint];
  readonly level: 'sum' | 'product' | 'part';
}

const numbers: fc.Arbitrary<Made> = fc
  .tuple(fc.bigInt(0n, 10n ** 9n), fc.integer({ min: 0, max: 6 }))
  .map(([units, scale]) => ({
    text: formatDecimal({ units, scale }),
    value: [units, tenTo(scale)],
    level: 'part',
  }));

const crosses: fc.Arbitrary<Made> = fc.constantFrom<Made>(
  { text: 'eur/usd', value: [125n, 100n], level: 'part' },
  { text: 'USD / EUR', value: [100n, 125n], level: 'part' },
  { text: 'btc/usd', value: [500_005n, 10n], level: 'part' },
  { text: 'usd/1inch', value: [3n, 1n], level: 'part' },
  { text: 'eur/BTC', value: [125n * 10n, 100n * 500_005n], level: 'part' },
);

const { formula } = fc.letrec<{ formula: Made }>((tie) => ({
  formula: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    numbers,
    crosses,
    fc
      .tuple(tie('formula'), fc.constantFrom('+', '-', '*', '/'), tie('formula'), fc.boolean())
      .map(([left, sign, right, spaced]) => join(left, sign, right, spaced)),
  ),
}));

/** Only the required parentheses, so that precedence and order are tested. */
function join(left: Made, sign: string, right: Made, spaced: boolean): Made {
  const level = sign === '+' || sign === '-' ? 'sum' : 'product';
  const around = ({ text }: Made, needed: boolean) => (needed ? `(${text})` : text);
  const l = around(left, level === 'product' && left.level === 'sum');
  const r = around(right, right.level !== 'part' && (level === 'product' || right.level === 'sum'));
  const [[a, b], [c, d]] = [left.value, right.value];
  // A division by zero remains an error, also in 0 / (1 / 0).
  const text = spaced ? `${l} ${sign} ${r}` : `${l}${sign}${r}`;
  if (b === 0n || d === 0n) return { text, value: [0n, 0n], level };
  const value = {
    '+': [a * d + c * b, b * d],
    '-': [a * d - c * b, b * d],
    '*': [a * c, b * d],
    '/': [a * d, b * c],
  }[sign] as [bigint, bigint];
  return { text, value, level };
}

describe('a formula', () => {
  it('is computed exactly and rounded down once', () => {
    fc.assert(
      fc.property(formula, ({ text, value: [numerator, denominator] }) => {
        fc.pre(text.length <= 200);
        const read = parseFormula(text);
        assert.ok(read.ok, text);
        const result = evaluateFormula(read.formula, market);
        // A division by zero anywhere makes the expected denominator zero.
        if (denominator === 0n) return assert.equal(result.ok, false);
        const sign = denominator < 0n ? -1n : 1n;
        const scaled = numerator * sign * tenTo(18);
        if (scaled <= 0n || scaled / (denominator * sign) === 0n) {
          return assert.equal(result.ok, false);
        }
        if (!result.ok) return assert.ok(scaled / (denominator * sign) >= tenTo(60), text);
        const { units, scale } = result.rate.rate;
        return assert.equal(units * tenTo(18 - scale), scaled / (denominator * sign));
      }),
      { numRuns: 500 },
    );
  });

  it('has crosses, decimals, signs by precedence and parentheses', () => {
    assert.equal(come('btc/usd * 1.01 + 5'), '50505.505');
    assert.equal(come('2 + 3 * 4'), '14');
    assert.equal(come('(2 + 3) * 4'), '20');
    assert.equal(come('10 - 2 - 3'), '5');
    assert.equal(come('100 / 5 / 2'), '10');
    assert.equal(come('btc/usd / eur/usd'), '40000.4');
    assert.equal(come('1 / 3'), `0.${'3'.repeat(18)}`);
  });

  it('has its sources and required units', () => {
    const read = parseFormula('btc/eur + usd/eur * 0');
    assert.ok(read.ok);
    assert.deepEqual(formulaUnits(read.formula), ['BTC', 'EUR', 'USD']);
    const result = evaluateFormula(read.formula, market);
    assert.equal(result.ok && result.rate.source, 'coingecko + fixer');
    const alone = parseFormula('1.5');
    const fixed = alone.ok && evaluateFormula(alone.formula, market);
    assert.ok(fixed && fixed.ok);
    assert.deepEqual([fixed.rate.source, fixed.rate.rate], ['formula', parseDecimal('1.5')]);
    assert.equal(fixed.rate.confirmedAt.getUTCFullYear(), 9999);
  });

  it('has errors with their place', () => {
    const cases: [string, string][] = [
      ['', '0: A number, a cross such as btc/usd or an opening parenthesis is expected here.'],
      ['usd', '0: "usd" alone is no rate: write a cross such as usd/eur.'],
      ['1 + usd * 2', '4: "usd" alone is no rate: write a cross such as usd/eur.'],
      ['usd/2', '0: "usd" alone is no rate: write a cross such as usd/eur.'],
      ['2 usd/eur', '2: A sign such as + or * is expected before "usd".'],
      ['(1 + 2', '0: This parenthesis is not closed.'],
      ['1 + 2)', '5: A sign such as + or * is expected before ")".'],
      ['1 +', '3: A number, a cross such as btc/usd or an opening parenthesis is expected here.'],
      ['-1', '0: A number, a cross such as btc/usd or an opening parenthesis is expected here.'],
      ['1 ^ 2', '2: "^" is neither a number, a unit such as usd, nor one of + - * / ( ).'],
      ['1.', '0: "1." is neither a number, a unit such as usd, nor one of + - * / ( ).'],
      ['1 + 😀', '4: "😀" is neither a number, a unit such as usd, nor one of + - * / ( ).'],
      ['1,5', '1: "," is neither a number, a unit such as usd, nor one of + - * / ( ).'],
      ['9'.repeat(61), '0: A number has at most 60 digits.'],
      ['1'.repeat(201), '200: A formula has at most 200 characters.'],
      ['eur/usd + xyz/usd', '10: The market has no rate for xyz/usd.'],
      ['1 / (eur/usd - 1.25)', '2: The formula divides by zero here.'],
      ['1 - 1', '0: The result of the formula is zero or negative.'],
      ['1 / 9999999999999999999', '0: The result of the formula is too small or too large.'],
    ];
    for (const [text, expected] of cases) assert.equal(come(text), expected, text);
  });

  it('may be nested as deep as its length allows', () => {
    assert.equal(come(`${'('.repeat(99)}1${')'.repeat(99)}`), '1');
    assert.match(come('('.repeat(200)), /^200: A number/);
  });
});
