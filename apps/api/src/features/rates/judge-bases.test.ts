/** Rates in terms of a base that has jumped, or that nothing connects: what they say, and what not. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BelievedRate } from '#features/market/market.ts';
import {
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
import type { Heard } from './law.ts';
import type { GivenRate } from './provider.ts';

type Judgement = ReturnType<typeof judge>;
const questions = ({ jumps }: Judgement) =>
  jumps.map(({ unit, base, reason }) => `${unit}/${base} ${reason}`);

describe('a dollar that jumps, as both providers say', () => {
  // 15 %, against everything else.
  const market = [
    believed('USD', 'EUR', '1.1'),
    believed('GBP', 'EUR', '0.88'),
    believedCoin('BTC', 'EUR', '50000'),
  ];
  const needed = new Set(['EUR', 'USD', 'GBP', 'BTC']);
  const primary = fixer(given('USD', 'EUR', '1.265'), given('GBP', 'EUR', '0.881'));
  const witness = (...more: GivenRate[]) =>
    other(given('EUR', 'USD', '0.790514'), given('GBP', 'USD', '0.696443'), ...more);
  const at = (second: Heard, believedNow: readonly BelievedRate[] = market) =>
    judge([primary, second], law(believedNow, { needed }));

  it('is one question, and does not stop what does not hang on it', () => {
    const judgement = at(witness());
    assert.deepEqual(questions(judgement), ['USD/EUR jump']);
    assert.deepEqual([names(judgement.accepted), reasons(judgement)], [['GBP'], []]);
  });

  it('leaves a coin that comes in euros too to its euros, whichever comes first', () => {
    const coins = [coin('BTC', 'EUR', '50100'), coin('BTC', 'USD', '63376.5')];
    for (const said of [coins, coins.toReversed()]) {
      const judgement = at(gecko(...said));
      assert.deepEqual(questions(judgement), ['USD/EUR jump']);
      assert.deepEqual(
        judgement.accepted.map(({ unit, base }) => `${unit}/${base}`),
        ['GBP/EUR', 'BTC/EUR'],
      );
    }
  });

  it('leaves a coin that comes in dollars alone with its last good rate, and asks nothing', () => {
    const judgement = at(witness(coin('BTC', 'USD', '63376.5')));
    assert.deepEqual(questions(judgement), ['USD/EUR jump']);
    assert.deepEqual(
      [names(judgement.accepted), reasons(judgement)],
      [['GBP'], ['BTC base_waits']],
    );
    assert.match(
      judgement.refusals[0]?.message ?? '',
      /BTC in terms of USD, and between the two stands a rate that waits/,
    );
  });

  it('asks about what was believed in dollars and has jumped in dollars', () => {
    const inDollars = [...market.slice(0, 2), believedCoin('BTC', 'USD', '55000')];
    const jumped = at(witness(coin('BTC', 'USD', '63376.5')), inDollars);
    assert.deepEqual(questions(jumped), ['USD/EUR jump', 'BTC/USD jump']);
    const still = at(witness(coin('BTC', 'USD', '55100')), inDollars);
    assert.deepEqual(questions(still), ['USD/EUR jump']);
    assert.deepEqual(names(still.accepted), ['GBP', 'BTC']);
  });
});

describe('a rate that a jump puts in doubt', () => {
  const jump = fixer(given('USD', 'EUR', '1.265'));

  it('is found whichever way it was given: what is believed in its base goes on', () => {
    const market = [believed('EUR', 'USD', '0.90909'), believedCoin('BTC', 'USD', '55000')];
    const judgement = judge([jump, other(coin('BTC', 'USD', '55100'))], law(market));
    assert.deepEqual(questions(judgement), ['USD/EUR jump']);
    assert.deepEqual([names(judgement.accepted), reasons(judgement)], [['BTC'], []]);
  });

  it('is no measure for what comes from beyond it', () => {
    const market = [believed('USD', 'EUR', '1.1'), believed('AED', 'USD', '3.67')];
    for (const rate of ['4.037', '4.64']) {
      const judgement = judge([jump, gecko(given('AED', 'EUR', rate))], law(market));
      assert.deepEqual(questions(judgement), ['USD/EUR jump'], rate);
      assert.deepEqual(reasons(judgement), ['AED base_waits'], rate);
    }
  });

  it('is no less in doubt for who knows of another jump alone', () => {
    const market = [
      believed('USD', 'EUR', '1.1'),
      believed('AED', 'USD', '3.67'),
      believedCoin('BTC', 'EUR', '50000'),
    ];
    const coins = gecko(coin('BTC', 'EUR', '60000'), given('AED', 'EUR', '4.037'));
    const judgement = judge([jump, coins], law(market));
    assert.deepEqual(questions(judgement), ['USD/EUR jump', 'BTC/EUR jump']);
    assert.deepEqual(reasons(judgement), ['AED base_waits']);
    const knowing = { ...coins, rates: [...jump.rates, ...coins.rates] };
    assert.deepEqual(names(judge([jump, knowing], law(market)).accepted), ['AED']);
  });
});

describe('a unit that stayed with the other side of a jump', () => {
  const needed = new Set(['EUR', 'USD', 'GBP']);

  it('comes to hang on it: its last good rate would be wrong', () => {
    // The euro fell by 30 %; pounds are believed in euros, and now come in dollars, of which they keep their worth.
    const market = [believed('USD', 'EUR', '1.3'), believed('GBP', 'EUR', '0.88')];
    const fell = other(given('EUR', 'USD', '1.0989'), given('GBP', 'USD', '0.677'));
    const judgement = judge([fell], law(market, { needed }));
    assert.deepEqual(questions(judgement), ['EUR/USD jump']);
    assert.deepEqual(names(judgement.accepted), ['GBP']);
    // The dollar fell, and pounds that are believed in dollars come in euros.
    const inDollars = [believed('EUR', 'USD', '0.769'), believed('GBP', 'USD', '0.677')];
    const dollar = fixer(given('USD', 'EUR', '0.91'), given('GBP', 'EUR', '0.88'));
    const kept = judge([dollar], law(inDollars, { needed }));
    assert.deepEqual([questions(kept), names(kept.accepted)], [['USD/EUR jump'], ['GBP']]);
  });
});

describe('a witness who contradicts the rate of a base', () => {
  const market = [believed('USD', 'EUR', '1.1'), believed('GBP', 'EUR', '0.88')];
  const still = fixer(given('USD', 'EUR', '1.1'), given('GBP', 'EUR', '0.88'));
  const at = (eur: string, gbp: string) =>
    judge([still, other(given('EUR', 'USD', eur), given('GBP', 'USD', gbp))], law(market));

  it('is asked over it about what agrees in terms of that base alone', () => {
    // The euro fell by 13 %, against the pound too.
    const fell = at('1.045454545', '0.8');
    assert.deepEqual(questions(fell), ['EUR/USD contradicted', 'GBP/USD contradicted']);
    assert.deepEqual(fell.accepted, []);
    // What is believed of each, and what the other provider says of it over this one's euro.
    assert.deepEqual(
      fell.jumps.map(({ previous, former }) => [previous?.slice(0, 5), former?.slice(0, 5)]),
      [
        ['0.909', '0.909'],
        ['0.8', '0.919'],
      ],
    );
    const alittle = at('0.9545', '0.8');
    assert.deepEqual([alittle.accepted, questions(alittle)], [[], []]);
    assert.deepEqual(reasons(alittle), ['USD contradicted', 'GBP contradicted']);
  });

  it('is asked over it where he has many figures too', () => {
    // The dollar fell by 20 %, and the dirham with it, and nothing else.
    const dollar = { USD: '1.1', AED: '4.04', GBP: '0.86', JPY: '160' };
    const had = Object.entries(dollar).map(([unit, rate]) => ({ unit, rate }));
    const fell = other(
      given('EUR', 'USD', '0.757575758'),
      given('AED', 'USD', '3.672727273'),
      given('GBP', 'USD', '0.651515152'),
      given('JPY', 'USD', '121.212121212'),
    );
    const judgement = judge(
      [fixer(...had.map(({ unit, rate }) => given(unit, 'EUR', rate))), fell],
      law(
        had.map(({ unit, rate }) => believed(unit, 'EUR', rate)),
        { needed: new Set(['EUR', ...Object.keys(dollar)]) },
      ),
    );
    assert.deepEqual(questions(judgement), ['EUR/USD contradicted', 'AED/USD contradicted']);
    assert.deepEqual(names(judgement.accepted), ['GBP', 'JPY']);
  });

  it('is not heard about the rest after an admin spoke against him', () => {
    const rates = { USD: '1.5', GBP: '0.88', JPY: '165', AED: '4.77' };
    const had = Object.entries(rates);
    const primary = fixer(...had.map(([unit, rate]) => given(unit, 'EUR', rate)));
    // All of it at the former dollar of 1.3.
    const frozen = other(
      given('EUR', 'USD', '0.769230769'),
      given('GBP', 'USD', '0.676923077'),
      given('JPY', 'USD', '126.923076923'),
      given('AED', 'USD', '3.669230769'),
    );
    const yes = { unit: 'USD', base: 'EUR', rate: '1.3', inverted: false, provider: 'fixer' };
    const judgement = judge(
      [primary, frozen],
      law(
        had.map(([unit, rate]) => believed(unit, 'EUR', rate)),
        {
          needed: new Set(['EUR', ...Object.keys(rates)]),
          outvoted: [{ ...yes, whose: 'others', accepted: '1.5' }],
        },
      ),
    );
    assert.deepEqual([questions(judgement), reasons(judgement)], [[], []]);
    assert.deepEqual(names(judgement.accepted), Object.keys(rates));
  });

  it('does not stop what moved with the other side of it', () => {
    // The dollar rose, against the pound too.
    const rose = at('1.045454545', '0.92');
    assert.deepEqual(questions(rose), ['EUR/USD contradicted']);
    assert.deepEqual(names(rose.accepted), ['GBP']);
  });
});

describe('a yes against what another provider says', () => {
  const outvoted = [
    { unit: 'USD', base: 'EUR', rate: '1.1', inverted: false, provider: 'openexchangerates' },
  ].map((each) => ({ ...each, whose: 'others' as const }));
  const market = [{ ...believed('USD', 'EUR', '1.265'), provider: 'openexchangerates' }];

  it('holds while the believed one may be heard; without it the other is asked about', () => {
    const former = fixer(given('USD', 'EUR', '1.101'));
    const before = judge([former], law(market, { outvoted }));
    assert.deepEqual([questions(before), reasons(before)], [[], ['USD refused_before']]);
    for (const gone of [{ silent: new Set(['openexchangerates']) }, { order: ['fixer'] }]) {
      const alone = judge([former], law(market, { outvoted, ...gone }));
      assert.deepEqual([questions(alone), reasons(alone)], [['USD/EUR jump'], []]);
    }
    const both = judge([former, other(given('USD', 'EUR', '1.266'))], law(market, { outvoted }));
    assert.deepEqual([questions(both), names(both.accepted)], [[], ['USD']]);
  });
});

describe('a believed unit in terms of what nothing connects', () => {
  const coins = [believedCoin('BTC', 'USD', '55000'), believedCoin('ETH', 'USD', '2500')];
  const inEuros = fixer(given('BTC', 'EUR', '0.00002'));
  const at = (heard: readonly Heard[], needed: readonly string[], rest = {}) =>
    judge(heard, law(coins, { needed: new Set(needed), ...rest }));

  it('keeps its last good rate where nothing the desk needs could be sold at the new one', () => {
    const judgement = at([inEuros], ['BTC', 'ETH', 'USD']);
    assert.deepEqual([judgement.accepted, judgement.jumps], [[], []]);
    assert.deepEqual(reasons(judgement), ['BTC unconnected']);
  });

  it('is asked about where something could', () => {
    for (const needed of [
      ['BTC', 'EUR'],
      ['BTC', 'GBP'],
    ]) {
      const rates = [...inEuros.rates, given('GBP', 'EUR', '0.88')];
      const judgement = at([fixer(...rates)], needed);
      assert.deepEqual(questions(judgement), ['BTC/EUR no_comparison']);
      const [question] = judgement.jumps;
      assert.deepEqual([question?.previous, question?.changePercent], [null, null]);
    }
  });

  it('is judged once a later provider of the run connects it', () => {
    const dollars = (rate: string) => other(given('EUR', 'USD', rate), coin('BTC', 'USD', '55100'));
    const agreed = at([inEuros, dollars('0.9074')], ['BTC', 'EUR', 'USD']);
    assert.deepEqual([questions(agreed), reasons(agreed)], [[], []]);
    assert.deepEqual(names(agreed.accepted), ['EUR', 'BTC']);
    const quarrel = at([inEuros, dollars('0.88')], ['BTC', 'EUR', 'USD']);
    assert.deepEqual([questions(quarrel), reasons(quarrel)], [[], ['BTC contradicted']]);
    const far = at([inEuros, dollars('0.8')], ['BTC', 'EUR', 'USD']);
    assert.deepEqual([questions(far), reasons(far)], [['BTC/EUR contradicted'], []]);
    const alone = at([inEuros, other(given('EUR', 'USD', '0.9074'))], ['BTC', 'EUR', 'USD']);
    assert.deepEqual(names(alone.accepted), ['EUR', 'BTC']);
    const jumped = at([inEuros, other(given('EUR', 'USD', '0.7'))], ['BTC', 'EUR', 'USD']);
    assert.deepEqual(questions(jumped), ['BTC/EUR jump']);
  });

  it('is not asked about again where an admin refused something near it', () => {
    const rest = {
      outvoted: [
        { unit: 'BTC', base: 'EUR', rate: '0.0000201', inverted: false, provider: 'fixer' },
      ].map((each) => ({ ...each, whose: 'its' as const })),
    };
    const judgement = at([inEuros], ['BTC', 'EUR'], rest);
    assert.deepEqual([questions(judgement), reasons(judgement)], [[], ['BTC refused_before']]);
    const moved = at([fixer(given('BTC', 'EUR', '0.00003'))], ['BTC', 'EUR'], rest);
    assert.deepEqual(questions(moved), ['BTC/EUR no_comparison']);
  });
});
