/** Coins that come in more than one base, or from more than one provider: what they say of each other. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR } from '#kernel/clock.ts';
import {
  ago,
  believed,
  believedCoin,
  coin,
  fixer,
  gecko,
  given,
  law,
  names,
  other,
  reasons,
} from '#test/judging.ts';
import { judge } from './judge.ts';
import type { Outvoted } from './law.ts';
import type { GivenRate } from './provider.ts';

describe('coins that come in dollars and in euros', () => {
  const prices = { BTC: 65000, ETH: 2600, SOL: 130 };
  const coins = Object.keys(prices) as (keyof typeof prices)[];
  const needed = new Set(['EUR', 'USD', ...coins]);
  const market = [
    believed('USD', 'EUR', '1.3'),
    ...coins.map((unit) => believedCoin(unit, 'USD', `${prices[unit]}`)),
  ];
  const priced = (base: string, usd: number, of = coins) =>
    of.map((unit) => coin(unit, base, `${prices[unit] / usd}`));
  const at = (order: readonly string[], euros: GivenRate[]) => {
    const said = {
      fixer: fixer(given('USD', 'EUR', '1.41')),
      coingecko: gecko(...priced('USD', 1), ...euros),
    };
    const heard = order.map((name) => said[name as keyof typeof said]);
    return judge(heard, law(market, { needed, order }));
  };

  it('and the dollar of another provider are doubted alike where they agree, in either order', () => {
    for (const order of [
      ['fixer', 'coingecko'],
      ['coingecko', 'fixer'],
    ]) {
      const judgement = at(order, priced('EUR', 1.3));
      assert.deepEqual(judgement.accepted, []);
      const each = coins.map((unit) => `${unit} inconsistent`);
      assert.deepEqual(reasons(judgement), [...each, 'USD contradicted'], order.join());
    }
  });

  it('are doubted alone where a third provider says the same of the dollar', () => {
    const third = other(given('EUR', 'USD', '0.709'));
    const twice = gecko(...priced('USD', 1), ...priced('EUR', 1.3));
    const first = fixer(given('USD', 'EUR', '1.41'));
    for (const heard of [
      [first, third, twice],
      [twice, first, third],
    ]) {
      const judgement = judge(heard, law(market, { needed }));
      assert.deepEqual(names(judgement.accepted), ['USD']);
      assert.equal(reasons(judgement).length, 3);
    }
  });

  it('are doubted with it where the third says so with a figure that is none', () => {
    const first = fixer(given('USD', 'EUR', '1.41'));
    const twice = gecko(...priced('USD', 1), ...priced('EUR', 1.3));
    const saying = given('EUR', 'USD', '0.709');
    for (const third of [
      other({ ...saying, asOf: ago(40 * HOUR) }),
      other({ ...saying, asOf: ago(-40 * HOUR) }),
      other(given('USD', 'USD', '2'), saying),
    ]) {
      const judgement = judge([first, third, twice], law(market, { needed }));
      assert.deepEqual(judgement.accepted, []);
    }
  });

  it('are doubted alone where an admin has said yes to that dollar, and to no other', () => {
    const heard = [
      fixer(given('USD', 'EUR', '1.41')),
      gecko(...priced('USD', 1), ...priced('EUR', 1.3)),
    ];
    const yes: Outvoted = {
      unit: 'USD',
      base: 'EUR',
      rate: '1.3',
      inverted: false,
      provider: 'fixer',
      whose: 'others',
      accepted: '1.41',
    };
    const after = (word: Outvoted) => {
      const believedNow = [believed('USD', 'EUR', '1.41'), ...market.slice(1)];
      return names(judge(heard, law(believedNow, { needed, outvoted: [word] })).accepted);
    };
    // The same two units, given the other way round.
    const turned = { ...yes, unit: 'EUR', base: 'USD' };
    for (const same of [
      yes,
      { ...turned, inverted: true },
      { ...turned, rate: '0.769', accepted: '0.709' },
    ])
      assert.deepEqual(after(same), ['USD']);
    for (const other of [
      { ...yes, accepted: '1.32' },
      { ...yes, unit: 'GBP' },
      { ...yes, provider: 'openexchangerates' },
      turned,
    ])
      assert.deepEqual(after(other), []);
  });

  it('and the euro of another provider are doubted alike, whichever base stands first', () => {
    const euro = { ...believed('EUR', 'USD', '0.769'), provider: 'openexchangerates' as const };
    const mine = law([euro, ...market.slice(1)], { needed });
    const twice = [priced('USD', 0.926), priced('EUR', 1.3)];
    for (const rates of [twice, twice.toReversed()]) {
      const [dollars, coinsSaid] = [other(given('EUR', 'USD', '0.769')), gecko(...rates.flat())];
      for (const heard of [
        [dollars, coinsSaid],
        [coinsSaid, dollars],
      ])
        assert.deepEqual(judge(heard, mine).accepted, []);
    }
  });

  it('are doubted themselves where only one of them does, in either order', () => {
    for (const order of [
      ['fixer', 'coingecko'],
      ['coingecko', 'fixer'],
    ]) {
      const judgement = at(order, priced('EUR', 1.3, ['BTC']));
      assert.deepEqual(names(judgement.accepted).toSorted(), ['ETH', 'SOL', 'USD']);
      assert.deepEqual(reasons(judgement), ['BTC inconsistent'], order.join());
      assert.equal(
        judgement.refusals[0]?.message,
        'The rates of BTC from CoinGecko in terms of EUR and USD contradict the rate of USD from Fixer by more than 2 %.',
      );
    }
  });
});

describe('coins of two providers in one base', () => {
  it('contradict each other, and not the rate of that base, which nobody compared them over', () => {
    const prices = { BTC: 60000, ETH: 2500, SOL: 130 };
    const coins = Object.keys(prices) as (keyof typeof prices)[];
    const times = (factor: number) =>
      coins.map((unit) => coin(unit, 'USD', `${prices[unit] * factor}`));
    const market = [
      believed('USD', 'EUR', '1.1'),
      ...coins.map((unit) => believedCoin(unit, 'USD', `${prices[unit]}`)),
    ];
    const dollar = fixer(given('USD', 'EUR', '1.1'));
    const [bent, honest] = [other(...times(1.08)), gecko(...times(1))];
    for (const heard of [
      [dollar, bent, honest],
      [dollar, honest, bent],
    ]) {
      const judgement = judge(heard, law(market, { needed: new Set(['EUR', 'USD', ...coins]) }));
      assert.deepEqual(names(judgement.accepted), ['USD']);
      assert.deepEqual(
        reasons(judgement),
        coins.map((unit) => `${unit} contradicted`),
      );
    }
  });
});
