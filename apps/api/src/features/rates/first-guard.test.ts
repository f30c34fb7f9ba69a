/** The first rate of a unit, beside what pairs were sold at lately. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BelievedRate } from '#features/market/market.ts';
import { HOUR } from '#kernel/clock.ts';
import { ago, believed, fixer, given, law, names, NOW } from '#test/judging.ts';
import { judge } from './judge.ts';
import { putAside, type Desk } from './judges-desk.ts';

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
    // Which of the two is wrong nobody knows.
    assert.deepEqual(judged(pairs, ['USD', '1.1'], ['GBP', '0.5']), [
      [],
      ['GBP was 0.88', 'USD was 0.625'],
    ]);
    assert.deepEqual(judged(pairs, ['GBP', '0.88'], ['USD', '1100']), [
      [],
      ['USD was 1.1', 'GBP was 880'],
    ]);
  });

  it('is compared over all pairs together where none can be put in its terms', () => {
    const pairs = [sold('GBP', 'EUR', '0.8'), sold('USD', 'GBP', '1.25')];
    assert.deepEqual(judged(pairs, ['USD', '1.5']), [[], ['USD was 1']]);
    assert.deepEqual(judged(pairs, ['USD', '1.02']), [['USD'], []]);
  });

  it('is asked about where the bridge to its pair comes with a later provider', () => {
    const pairs = [sold('BTC', 'EUR', '0.000018')];
    const run = (price: string) => {
      const first = { ...fixer(given('BTC', 'USD', price)), provider: 'coingecko' as const };
      const { accepted, jumps } = judge(
        [first, fixer(given('USD', 'EUR', '1.1'))],
        law([], { sold: pairs }),
      );
      return [names(accepted), jumps.map(({ unit }) => unit)];
    };
    assert.deepEqual(run('0.0000164'), [['BTC', 'USD'], []]);
    assert.deepEqual(run('0.0000000164'), [['USD'], ['BTC']]);
  });

  it('is believed where no pair of it was sold', () => {
    assert.deepEqual(judged([sold('GBP', 'EUR', '0.8')], ['USD', '7']), [['USD'], []]);
  });
});

describe('a former figure of which nothing was written', () => {
  it('is no figure to say again, nor to turn round', () => {
    const [rate, provider, whose] = ['0', 'frankfurter', 'others'] as const;
    const outvoted = [{ unit: 'EUR', base: 'GBP', rate, inverted: false, provider, whose }];
    const market = [believed('GBP', 'EUR', '0.8')];
    const { jumps } = judge([fixer(given('GBP', 'EUR', '1.6'))], law(market, { outvoted }));
    assert.deepEqual(
      jumps.map(({ unit }) => unit),
      ['GBP'],
    );
  });

  it('is kept as nothing, so that a yes does not speak against the previous one instead', () => {
    const desk = { jumps: new Map(), refusals: new Map() } as unknown as Desk;
    const former = { numerator: 10n ** 40n, denominator: 1n };
    const previous = { numerator: 4n, denominator: 5n };
    const rate = given('GBP', 'EUR', '1.6');
    putAside(desk, { provider: 'fixer', heardAt: NOW }, rate, { reason: 'jump', previous, former });
    assert.deepEqual(
      [...desk.jumps.values()].map((jump) => [jump.previous, jump.former]),
      [['0.8', '0']],
    );
  });
});
