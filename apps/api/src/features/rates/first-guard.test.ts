/** The first rate of a unit, beside what pairs were sold at lately. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BelievedRate } from '#features/market/market.ts';
import { HOUR } from '#kernel/clock.ts';
import { ago, believed, fixer, given, law, names } from '#test/judging.ts';
import { judge } from './judge.ts';

/** `rate` units of `unit` for one `base`, so many hours ago. */
const sold = (unit: string, base: string, rate: string, hours = 1): BelievedRate => ({
  ...believed(unit, base, rate),
  confirmedAt: ago(hours * HOUR),
});

function judged(pairs: readonly BelievedRate[], ...rates: [unit: string, rate: string][]) {
  const heard = fixer(...rates.map(([unit, rate]) => given(unit, 'EUR', rate)));
  const { accepted, jumps } = judge([heard], law([], { sold: pairs }));
  return [names(accepted), jumps.map(({ unit, previous }) => `${unit} was ${previous}`)];
}

describe('the first rate of a unit', () => {
  // The two newer ones lead to 1.6 dollars for a euro as well.
  const ring = [
    sold('USD', 'EUR', '1.1', 48),
    sold('GBP', 'EUR', '0.8'),
    sold('USD', 'GBP', '2', 1),
  ];

  it('is compared with the pair’s own rate, not with a way round over newer ones', () => {
    assert.deepEqual(judged(ring, ['USD', '1.6']), [[], ['USD was 1.1']]);
    assert.deepEqual(judged(ring, ['USD', '1.1']), [['USD'], []]);
  });

  it('is asked about where one of several pairs was sold far from it', () => {
    assert.deepEqual(judged(ring, ['USD', '1.1'], ['GBP', '0.8']), [['USD'], ['GBP was 0.55']]);
    const twice = [sold('USD', 'EUR', '1.1'), sold('USD', 'EUR', '1.6')];
    assert.deepEqual(judged(twice, ['USD', '1.1']), [[], ['USD was 1.6']]);
  });

  it('is put in terms of a pair’s other unit by what the run has accepted', () => {
    const pairs = [sold('USD', 'GBP', '1.25')];
    assert.deepEqual(judged(pairs, ['USD', '1.1'], ['GBP', '0.88']), [['USD', 'GBP'], []]);
    assert.deepEqual(judged(pairs, ['USD', '1.1'], ['GBP', '0.5']), [['USD'], ['GBP was 0.88']]);
  });

  it('is compared over all pairs together where none can be put in its terms', () => {
    const pairs = [sold('GBP', 'EUR', '0.8'), sold('USD', 'GBP', '1.25')];
    assert.deepEqual(judged(pairs, ['USD', '1.5']), [[], ['USD was 1']]);
    assert.deepEqual(judged(pairs, ['USD', '1.02']), [['USD'], []]);
  });

  it('is believed where no pair of it was sold', () => {
    assert.deepEqual(judged([sold('GBP', 'EUR', '0.8')], ['USD', '7']), [['USD'], []]);
  });
});
