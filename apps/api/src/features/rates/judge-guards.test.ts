/** What stands between a wrong rate and the desk when one opinion is not enough. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { marketOf, type BelievedRate } from '#features/market/market.ts';
import { believed, fixer, given, law, names, NOW, other, reasons } from '#test/judging.ts';
import { judge } from './judge.ts';
import type { Heard, Law, Outvoted } from './law.ts';

const questions = ({ jumps }: ReturnType<typeof judge>) =>
  jumps.map(({ unit, base, provider, reason }) => `${unit}/${base} ${provider} ${reason}`);

describe('the jump guard', () => {
  const coin = (unit: string, usd: string): BelievedRate => ({
    ...believed(unit, 'USD', usd),
    inverted: true,
    provider: 'coingecko',
  });
  const needed = new Set(['BTC', 'ETH', 'USD']);
  const coins = [coin('BTC', '55000'), coin('ETH', '2500')];

  it('compares a fall-back of another base over what the run has accepted', () => {
    // In either order: 1 EUR is 0.00002 BTC at 1.1 dollars, and 0.02 is a thousand times that.
    for (const turn of [0, 1]) {
      const rates = [given('BTC', 'EUR', '0.02'), given('USD', 'EUR', '1.1')];
      if (turn === 1) rates.reverse();
      const judgement = judge([fixer(...rates)], law(coins, { needed }));
      assert.deepEqual(names(judgement.accepted), ['USD']);
      assert.deepEqual(questions(judgement), ['BTC/EUR fixer jump']);
      assert.equal(judgement.jumps[0]?.previous, '0.00002');
    }
    const right = [given('BTC', 'EUR', '0.00002'), given('USD', 'EUR', '1.1')];
    assert.deepEqual(names(judge([fixer(...right)], law(coins, { needed })).accepted), [
      'USD',
      'BTC',
    ]);
  });

  it('measures a coin by its price, as people see it', () => {
    const at = (usd: string) =>
      names(judge([fixer(given('BTC', 'USD', usd, { inverted: true }))], law(coins)).jumps);
    assert.deepEqual([at('60500'), at('49500')], [[], []]);
    assert.deepEqual([at('60501'), at('49499')], [['BTC'], ['BTC']]);
  });

  it('asks about a rate that creeps, further than the day allows', () => {
    const past = (rate: string) => [marketOf([believed('USD', 'EUR', rate)], NOW)];
    const now = law([believed('USD', 'EUR', '1.29')]);
    const at = (rate: string, dayAgo: Law['dayAgo']) =>
      judge([fixer(given('USD', 'EUR', rate))], { ...now, dayAgo });
    assert.deepEqual(questions(at('1.3', past('1'))), []);
    const crept = at('1.31', past('1'));
    assert.deepEqual(questions(crept), ['USD/EUR fixer drift']);
    assert.deepEqual([crept.jumps[0]?.previous, crept.jumps[0]?.changePercent], ['1', '31']);
    // What is back where it was the day before went nowhere, and what stands still does not creep.
    const back = { ...now, dayAgo: past('1') };
    const was = (rate: string) => ({
      ...back,
      twoDaysAgo: marketOf([believed('USD', 'EUR', rate)], NOW),
    });
    const crawled = fixer(given('USD', 'EUR', '1.31'));
    assert.deepEqual(questions(judge([crawled], was('1.32'))), []);
    assert.deepEqual(questions(judge([crawled], was('1'))), ['USD/EUR fixer drift']);
    assert.deepEqual(questions(judge([crawled], was('1.5'))), ['USD/EUR fixer drift']);
    const same = { ...law([believed('USD', 'EUR', '1.31')]), dayAgo: past('1') };
    assert.deepEqual(names(judge([crawled], same).accepted), ['USD']);
    // What is as far from both days went somewhere, whatever one step may be.
    const wide = { ...now.limits, jump_percent: '50', day_percent: '20' };
    const step = { ...was('1'), limits: wide };
    assert.deepEqual(questions(judge([crawled], step)), ['USD/EUR fixer drift']);
    // The first market that knows both has the word.
    assert.deepEqual(questions(at('1.31', [marketOf([], NOW), ...past('1.2'), ...past('1')])), []);
  });

  it('asks nothing about what is believed already, as another gives it in terms of its own base', () => {
    const rates = [
      believed('EUR', 'USD', '0.8603'),
      believed('JPY', 'USD', '151.83'),
      coin('BTC', '96441.5'),
    ];
    const dayAgo = [
      marketOf(
        [believed('EUR', 'USD', '0.8603'), believed('JPY', 'USD', '110'), coin('BTC', '70000')],
        NOW,
      ),
    ];
    const asked = law(rates, { dayAgo, needed: new Set(['EUR', 'USD', 'JPY', 'BTC']) });
    const at = (yen: string, price: string) =>
      judge(
        [fixer(given('JPY', 'EUR', yen), given('BTC', 'EUR', price, { inverted: true }))],
        asked,
      );
    const same = at('176.4849471', '82968.62');
    assert.deepEqual([questions(same), names(same.accepted)], [[], ['JPY', 'BTC']]);
    // A digit further it is no rounding.
    assert.deepEqual(questions(at('176.4849473', '82968.64')), [
      'JPY/EUR fixer drift',
      'BTC/EUR fixer drift',
    ]);
  });
});

describe('a refusal of a rate that creeps', () => {
  it('is of that figure alone, since what is near it is near what is believed too', () => {
    const no = (rate: string, rest: Partial<Outvoted> = {}): Outvoted => ({
      unit: 'USD',
      base: 'EUR',
      rate,
      inverted: false,
      provider: 'fixer',
      whose: 'its',
      ...rest,
    });
    const dayAgo = [marketOf([believed('USD', 'EUR', '1')], NOW)];
    const crept = [no('1.312', { isExact: true }), no('1.310', { isExact: true })];
    const at = (rate: string, outvoted: readonly Outvoted[] = crept) =>
      judge([fixer(given('USD', 'EUR', rate))], {
        ...law([believed('USD', 'EUR', '1.3')], { outvoted }),
        dayAgo,
      });
    for (const rate of ['1.31', '1.312'])
      assert.deepEqual([questions(at(rate)), reasons(at(rate))], [[], ['USD refused_before']]);
    assert.deepEqual(questions(at('1.301')), ['USD/EUR fixer drift']);
    // What jumped and was refused is near this one, though it only creeps today.
    assert.deepEqual(reasons(at('1.329', [no('1.352')])), ['USD refused_before']);
    // It silences nobody who says what was believed.
    const heard = [fixer(given('USD', 'EUR', '1.40')), other(given('USD', 'EUR', '1.30'))];
    const of = no('1.31', { provider: 'openexchangerates', isExact: true });
    const judgement = judge(heard, law([believed('USD', 'EUR', '1.3')], { outvoted: [of] }));
    assert.deepEqual(judgement.accepted, []);
  });
});

describe('a witness who says that a rate has moved far', () => {
  // 1 USD was 31.2 EGP; Fixer stands still.
  const market = [
    believed('EGP', 'EUR', '34'),
    believed('USD', 'EUR', '1.09'),
    believed('GBP', 'EUR', '0.86'),
  ];
  const needed = new Set(['EUR', 'USD', 'EGP', 'GBP', 'XAF']);
  const still = fixer(...market.map(({ unit, base, rate }) => given(unit, base, rate)));
  const witness = (egp: string, usd = '0.9174', gbp = '0.789') =>
    other(given('EGP', 'USD', egp), given('EUR', 'USD', usd), given('GBP', 'USD', gbp));
  const at = (said: Heard, rest: Partial<Law> = {}) =>
    judge([still, said], law(market, { needed, ...rest }));

  it('is asked about, and neither is believed; the others are', () => {
    for (const egp of ['34.5', '47.7', '31000']) {
      const judgement = at(witness(egp));
      assert.deepEqual(questions(judgement), ['EGP/USD openexchangerates contradicted']);
      assert.deepEqual(names(judgement.accepted), ['USD', 'GBP']);
      assert.deepEqual(judgement.refusals, []);
    }
  });

  it('stops the base alone where he is wrong about that', () => {
    // A thousand times in terms of dollars: one thing is said, of dollars.
    const mad = at(witness('31200', '917.4', '789'));
    assert.deepEqual(questions(mad), ['EUR/USD openexchangerates contradicted']);
    assert.deepEqual([names(mad.accepted), reasons(mad)], [['EGP', 'GBP'], ['USD contradicted']]);
    // Also where he does not say what dollars are in euros.
    const units = ['AED', 'CHF', 'JPY'];
    const known = [...units, 'USD'].map((unit, index) => believed(unit, 'EUR', `${index + 1}`));
    const primary = fixer(...known.map(({ unit, rate }) => given(unit, 'EUR', rate)));
    const off = other(
      ...units.map((unit, index) => given(unit, 'USD', `${(index + 1) / 4 / 1.05}`.slice(0, 12))),
    );
    const judgement = judge([primary, off], law(known, { needed: new Set([...units, 'XAF']) }));
    assert.deepEqual(
      [names(judgement.accepted), reasons(judgement)],
      [units, ['USD contradicted']],
    );
  });

  it('does not stop the base where he agrees about that, however many others moved', () => {
    // All but dollars and pounds fell against the euro, and Fixer stands still.
    const units = ['AED', 'CHF', 'JPY'];
    const known = units.map((unit) => believed(unit, 'EUR', '4'));
    const moved = units.map((unit) => given(unit, 'USD', '5.1'));
    const judgement = judge(
      [fixer(...still.rates, ...known), other(given('EUR', 'USD', '0.9174'), ...moved)],
      law([...market, ...known], { needed: new Set([...needed, ...units]) }),
    );
    assert.deepEqual(names(judgement.accepted), ['EGP', 'USD', 'GBP']);
    assert.deepEqual(
      questions(judgement),
      units.map((unit) => `${unit}/USD openexchangerates contradicted`),
    );
  });

  it('stops the base, and what he contradicts without it', () => {
    const coin = (usd: string) => given('BTC', 'USD', usd, { inverted: true });
    const gecko: Heard = { ...fixer(coin('60000')), provider: 'coingecko', label: 'CoinGecko' };
    const euros = [
      given('EUR', 'USD', '1.1'),
      given('GBP', 'USD', '0.95'),
      given('EGP', 'USD', '37.5'),
    ];
    const fell = other(...euros, coin('61800'));
    const judgement = judge(
      [still, gecko, fell],
      law(market, { needed: new Set([...needed, 'BTC']) }),
    );
    assert.deepEqual(questions(judgement), ['EUR/USD openexchangerates contradicted']);
    assert.deepEqual(names(judgement.accepted), ['EGP', 'GBP']);
    assert.deepEqual(reasons(judgement), ['USD contradicted', 'BTC contradicted']);
    const had = { ...believed('BTC', 'USD', '50000'), inverted: true };
    const beside = (first: string, second: string) =>
      questions(
        judge(
          [still, { ...gecko, rates: [coin(first)] }, { ...fell, rates: [...euros, coin(second)] }],
          law([...market, had], { needed: new Set([...needed, 'BTC']) }),
        ),
      );
    const euro = 'EUR/USD openexchangerates contradicted';
    assert.deepEqual(beside('52500', '56000'), [euro, 'BTC/USD openexchangerates contradicted']);
    assert.deepEqual(beside('54000', '48500'), [euro]);
  });

  it('is not heard where everything jumped in terms of the common base, which is told', () => {
    const mad = other(
      ...market.map(({ unit, base, rate }) => given(unit, base, `${Number(rate) * 1000}`)),
    );
    const judgement = at(mad);
    assert.deepEqual(names(judgement.accepted), ['EGP', 'USD', 'GBP']);
    assert.deepEqual([questions(judgement), reasons(judgement)], [[], ['EUR contradicted']]);
    assert.match(judgement.refusals[0]?.message ?? '', /^3 of 3 rates of Open Exchange Rates/);
  });

  it('is not heard again with a figure that an admin refused, but with another', () => {
    const outvoted = [
      { unit: 'EGP', base: 'USD', rate: '47.7', inverted: false, provider: 'openexchangerates' },
    ].map((each) => ({ ...each, whose: 'its' as const }));
    assert.deepEqual(names(at(witness('48'), { outvoted }).accepted), ['EGP', 'USD', 'GBP']);
    assert.deepEqual(names(at(witness('49'), { outvoted }).accepted), ['USD', 'GBP']);
  });

  it('is followed after a yes, against the one that stands still', () => {
    const accepted = { ...believed('EGP', 'USD', '47.7'), provider: 'openexchangerates' };
    const outvoted = [
      { unit: 'EGP', base: 'USD', rate: '31.192', inverted: false, provider: 'openexchangerates' },
    ].map((each) => ({ ...each, whose: 'others' as const }));
    const now = law([accepted, ...market.slice(1)], { needed, outvoted });
    const judgement = judge([still, witness('47.9')], now);
    assert.deepEqual(
      judgement.accepted.map(({ unit, rate }) => `${unit} ${rate}`),
      ['USD 1.09', 'GBP 0.86', 'EGP 47.9'],
    );
    assert.deepEqual(questions(judgement), []);
    // And the other way round: what stands still does not contradict whom the admin believed.
    const moved = fixer(given('EGP', 'EUR', '52'), given('USD', 'EUR', '1.09'));
    const later = judge([moved, witness('31.3')], {
      ...law([believed('EGP', 'EUR', '52'), ...market.slice(1)], { needed }),
      outvoted: [
        {
          unit: 'EGP',
          base: 'EUR',
          rate: '34',
          inverted: false,
          provider: 'fixer',
          whose: 'others',
        },
      ],
    });
    assert.deepEqual(names(later.accepted), ['EGP', 'USD', 'GBP']);
  });
});
