import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatDecimal, parseDecimal, tenTo, trimZeros } from '@cambist/money/decimal';
import { cross, marketOf, type AcceptedRate } from './cross.ts';

const NOON = new Date('2026-03-14T12:00:00Z');
const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);

function accepted(
  unit: string,
  base: string,
  rate: string,
  rest: Partial<AcceptedRate> = {},
): AcceptedRate {
  const times = { asOf: at(-10), confirmedAt: at(0), freshUntil: at(170) };
  return { unit, base, rate, inverted: false, provider: 'fixer', ...times, ...rest };
}

const text = (rates: readonly AcceptedRate[], from: string, to: string) => {
  const found = cross(marketOf(rates, NOON), from, to);
  return found && formatDecimal(found.rate);
};

/** A positive rate with up to 18 decimals and a representable inverse. */
const rateText = fc
  .tuple(fc.bigInt(1n, 10n ** 24n), fc.integer({ min: 0, max: 18 }))
  .map(([units, scale]) => formatDecimal({ units, scale }))
  .filter((rate) => parseDecimal(rate).units > 0n);

describe('cross', () => {
  it('preserves every digit of a rate in its direction', () => {
    const digits = '123456789012345678.123456789012345678';
    assert.equal(text([accepted('IDR', 'BTC', digits)], 'BTC', 'IDR'), digits);
    fc.assert(
      fc.property(rateText, fc.boolean(), (rate, inverted) => {
        const [from, to] = inverted ? ['BTC', 'USD'] : ['USD', 'BTC'];
        const found = cross(marketOf([accepted('BTC', 'USD', rate, { inverted })], NOON), from, to);
        assert.deepEqual(found?.rate, trimZeros(parseDecimal(rate)));
      }),
    );
  });

  it('rounds down once on a path of any length', () => {
    fc.assert(
      fc.property(fc.array(rateText, { minLength: 1, maxLength: 5 }), (rates) => {
        // A chain U0 – U1 – U2 … with alternating directions.
        const edges = rates.map((rate, index) =>
          index % 2 === 0
            ? accepted(`U${index + 1}`, `U${index}`, rate)
            : accepted(`U${index}`, `U${index + 1}`, rate),
        );
        let [numerator, denominator] = [1n, 1n];
        for (const [index, rate] of rates.entries()) {
          const { units, scale } = parseDecimal(rate);
          numerator *= index % 2 === 0 ? units : tenTo(scale);
          denominator *= index % 2 === 0 ? tenTo(scale) : units;
        }
        const exact = (numerator * tenTo(18)) / denominator;
        const found = cross(marketOf(edges, NOON), 'U0', `U${rates.length}`);
        if (exact === 0n || exact >= tenTo(60)) assert.equal(found, null);
        else assert.equal(found && found.rate.units * tenTo(18 - found.rate.scale), exact);
      }),
    );
  });

  it('connects providers with different bases, with the oldest time', () => {
    const rates = [
      accepted('USD', 'EUR', '1.25', { confirmedAt: at(-3) }),
      accepted('GBP', 'EUR', '0.5'),
      accepted('BTC', 'USD', '50000', {
        inverted: true,
        provider: 'coingecko',
        asOf: at(-1),
        freshUntil: at(60),
      }),
    ];
    assert.deepEqual(cross(marketOf(rates, NOON), 'BTC', 'GBP'), {
      rate: parseDecimal('20000'),
      source: 'coingecko + fixer',
      asOf: at(-10),
      confirmedAt: at(-3),
      freshUntil: at(60),
      awaits: [],
    });
    assert.equal(text(rates, 'GBP', 'BTC'), '0.00005');
    assert.equal(text(rates, 'USD', 'EUR'), '0.8');
  });

  it('is one for the same unit and never goes stale', () => {
    const found = cross(marketOf([], NOON), 'USD', 'USD');
    assert.deepEqual(
      [found?.rate, found?.source, found?.asOf],
      [parseDecimal('1'), 'same unit', NOON],
    );
    assert.ok(found !== null && found.freshUntil.getUTCFullYear() === 9999);
  });

  it('is null where the units are not connected or no digit is left', () => {
    assert.equal(text([accepted('USD', 'EUR', '1.25')], 'EUR', 'BTC'), null);
    const tiny = [accepted('AAA', 'USD', tenToText(18)), accepted('BBB', 'USD', '0.5')];
    assert.equal(text(tiny, 'AAA', 'BBB'), null);
    assert.equal(text(tiny, 'BBB', 'AAA'), `2${'0'.repeat(18)}`);
  });

  it('uses the path confirmed last, and makes the other one redundant', () => {
    const former = accepted('USD', 'EUR', '1.25', { confirmedAt: at(-60) });
    const rates = [
      former,
      accepted('EUR', 'USD', '0.9', { provider: 'openexchangerates' }),
      accepted('GBP', 'USD', '0.75', { provider: 'openexchangerates' }),
    ];
    assert.equal(text(rates, 'USD', 'EUR'), '0.9');
    assert.equal(text(rates, 'EUR', 'GBP'), '0.833333333333333333');
    assert.deepEqual(marketOf(rates, NOON).redundant, [former]);
    assert.deepEqual(marketOf(rates.toReversed(), NOON).redundant, [former]);
  });
});

const tenToText = (exponent: number) => `1${'0'.repeat(exponent)}`;
