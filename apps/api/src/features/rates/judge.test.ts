import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import {
  ago,
  believed,
  fixer,
  gecko,
  given,
  law,
  names,
  NOW,
  other,
  reasons,
} from '#test/judging.ts';
import { judge } from './judge.ts';
import type { Heard } from './law.ts';
import type { GivenRate } from './provider.ts';

describe('judge', () => {
  it('believes what is as it should be, confirmed now and fresh for as long as its feed allows', () => {
    const { accepted, refusals, lacking } = judge(
      [fixer(given('USD', 'EUR', '1.0947'), given('GBP', 'EUR', '0.85852'))],
      law(),
    );
    assert.deepEqual([names(accepted), refusals, lacking], [['USD', 'GBP'], [], []]);
    assert.deepEqual(accepted[0]?.confirmedAt, NOW);
    assert.deepEqual(accepted[0]?.freshUntil, ago(10 * MINUTE - 3 * HOUR));
  });

  const single: [string, GivenRate, string][] = [
    ['NaN', given('USD', 'EUR', 'NaN'), 'not_a_rate'],
    ['null', given('USD', 'EUR', 'null'), 'not_a_rate'],
    ['text', given('USD', 'EUR', '"1.09"'), 'not_a_rate'],
    ['zero', given('USD', 'EUR', '0'), 'not_a_rate'],
    ['zero with decimals', given('USD', 'EUR', '0.000000000000000000'), 'not_a_rate'],
    ['a negative', given('USD', 'EUR', '-1.0947'), 'not_a_rate'],
    ['too many digits', given('USD', 'EUR', '9'.repeat(43)), 'not_a_rate'],
    [
      'one whose inverse is nothing',
      given('USD', 'EUR', `2${'0'.repeat(18)}`),
      'inverse_too_small',
    ],
    [
      'one from the future',
      given('USD', 'EUR', '1.0947', { asOf: ago(-6 * MINUTE) }),
      'from_the_future',
    ],
    [
      'one without a time',
      given('USD', 'EUR', '1.0947', { asOf: new Date(Number.NaN) }),
      'not_a_rate',
    ],
    ['one that is too old', given('USD', 'EUR', '1.0947', { asOf: ago(3 * HOUR + 1) }), 'too_old'],
  ];
  for (const [what, rate, reason] of single) {
    it(`refuses ${what}, and the others are believed`, () => {
      const last = believed('USD', 'EUR', '1.09', ago(2 * HOUR));
      const judgement = judge([fixer(rate, given('GBP', 'EUR', '0.85852'))], law([last]));
      assert.deepEqual(names(judgement.accepted), ['GBP']);
      assert.deepEqual(reasons(judgement), [`USD ${reason}`]);
      assert.match(judgement.refusals[0]?.message ?? '', /\bUSD\b/);
      assert.deepEqual(judgement.lacking, ['USD']);
    });
  }

  it('asks without the figure that it was compared with where that cannot be written', () => {
    // 36 digits before the point, and as many zeros behind it.
    for (const [step, change] of [
      ['999999999999999999', '-99.999999'],
      ['0.000000000000000001', `1${'0'.repeat(23)}`],
    ] as const) {
      const market = [believed('XAF', 'EUR', step), believed('GBP', 'XAF', step)];
      const [jump] = judge([fixer(given('GBP', 'EUR', '1.2'))], law(market)).jumps;
      assert.deepEqual([jump?.reason, jump?.previous, jump?.changePercent], ['jump', null, change]);
    }
  });

  it('believes what is at most five minutes ahead of our clock', () => {
    const rate = given('USD', 'EUR', '1.0947', { asOf: ago(-5 * MINUTE) });
    assert.deepEqual(names(judge([fixer(rate)], law()).accepted), ['USD']);
  });

  it('refuses time going back at the same provider', () => {
    const last = [believed('USD', 'EUR', '1.09', ago(5 * MINUTE))];
    const rate = given('USD', 'EUR', '1.0947');
    assert.deepEqual(reasons(judge([fixer(rate)], law(last))), ['USD older_than_last']);
    const same = given('USD', 'EUR', '1.09', { asOf: ago(5 * MINUTE) });
    assert.deepEqual(names(judge([fixer(same)], law(last)).accepted), ['USD']);
    // Also where another one's rate stands by now; whose own times are its own.
    const standing = [{ ...believed('USD', 'EUR', '1.09', ago(HOUR)), provider: 'coingecko' }];
    const replaced = law(standing, { newest: [...standing, ...last] });
    assert.deepEqual(reasons(judge([fixer(rate)], replaced)), ['USD older_than_last']);
    assert.deepEqual(names(judge([other(rate)], replaced).accepted), ['USD']);
  });

  it('tells two times as finely as they differ', () => {
    const messageOf = (asOf: Date, before: Date) =>
      judge(
        [fixer(given('USD', 'EUR', '1.0947', { asOf }))],
        law([believed('USD', 'EUR', '1.09', before)]),
      ).refusals[0]?.message;
    const at = (time: string) => new Date(NOW.toISOString().replace(/\d\d:\d\d\.\d+Z/, time));
    const told = (own: string, last: string) => {
      const [day] = NOW.toISOString().split('T');
      const [hour] = NOW.toISOString().slice(11).split(':');
      return `The rate of USD from Fixer is of ${day} ${hour}:${own} UTC, older than its last one of ${day} ${hour}:${last} UTC.`;
    };
    assert.equal(messageOf(at('00:10.000Z'), at('01:05.000Z')), told('00', '01'));
    assert.equal(messageOf(at('00:10.000Z'), at('00:25.000Z')), told('00:10', '00:25'));
    assert.equal(messageOf(at('00:10.001Z'), at('00:10.900Z')), told('00:10.001', '00:10.900'));
  });

  it('refuses all rates in terms of a base that is not one of itself', () => {
    const rates = [
      given('EUR', 'EUR', '1.2'),
      given('USD', 'EUR', '1.09'),
      given('BTC', 'USD', '0.00002'),
    ];
    const judgement = judge([fixer(...rates)], law());
    assert.deepEqual(names(judgement.accepted), ['BTC']);
    assert.deepEqual(reasons(judgement), ['USD base_not_one']);
    const one = [given('EUR', 'EUR', '1.00'), given('USD', 'EUR', '1.09')];
    assert.deepEqual(names(judge([fixer(...one)], law()).accepted), ['USD']);
  });

  it('refuses what an admin refused and what is near it, whatever their time, and asks about others', () => {
    const no = {
      unit: 'USD',
      base: 'EUR',
      inverted: false,
      provider: 'fixer',
      whose: 'its' as const,
    };
    const outvoted = [
      { ...no, rate: '1.50' },
      { ...no, rate: '1.4' },
    ];
    const reason = (rate: string, last = '1.09') => {
      const market = [believed('USD', 'EUR', last)];
      const judgement = judge([fixer(given('USD', 'EUR', rate))], law(market, { outvoted }));
      return [...reasons(judgement), ...names(judgement.jumps)];
    };
    assert.deepEqual(reason('1.5'), ['USD refused_before']);
    assert.deepEqual(reason('1.4'), ['USD refused_before']);
    assert.deepEqual(reason('1.52'), ['USD refused_before']);
    assert.deepEqual(reason('1.54'), ['USD']);
    // Also where it would be no jump any more, until what is believed has come there by itself.
    assert.deepEqual(reason('1.5', '1.45'), ['USD refused_before']);
    assert.deepEqual(reason('1.5', '1.48'), []);
  });

  it('puts a jump aside, up and down, given this way or that, and nothing else', () => {
    const last = [believed('USD', 'EUR', '1.0'), believed('GBP', 'EUR', '0.8')];
    const jumps = (rate: GivenRate) =>
      judge([fixer(rate, given('GBP', 'EUR', '0.81'))], law(last)).jumps.map(
        ({ unit, previous, changePercent }) => `${unit} ${previous} ${changePercent}`,
      );
    assert.deepEqual(jumps(given('USD', 'EUR', '1.1')), []);
    assert.deepEqual(jumps(given('USD', 'EUR', '0.9')), []);
    assert.deepEqual(jumps(given('USD', 'EUR', '1.100001')), ['USD 1 10.0001']);
    assert.deepEqual(jumps(given('USD', 'EUR', '0.899')), ['USD 1 -10.1']);
    assert.deepEqual(jumps(given('USD', 'EUR', '1000')), ['USD 1 99900']);
    assert.deepEqual(jumps(given('USD', 'EUR', '0.5', { inverted: true })), ['USD 1 -50']);
    // By another base the jump is seen all the same: 1 GBP was 1.25 USD.
    assert.deepEqual(jumps(given('USD', 'GBP', '1.5')), ['USD 1.25 20']);
    assert.deepEqual(names(judge([fixer(given('USD', 'EUR', '9'))], law()).accepted), ['USD']);
  });

  it('does not take from another provider what waits for an admin', () => {
    const last = [believed('USD', 'EUR', '1.0')];
    const judgement = judge(
      [fixer(given('USD', 'EUR', '2')), other(given('USD', 'EUR', '1'))],
      law(last),
    );
    assert.deepEqual([judgement.accepted, names(judgement.jumps)], [[], ['USD']]);
  });
});

describe('judge, with two opinions', () => {
  const primary = fixer(given('USD', 'EUR', '1.10'), given('GBP', 'EUR', '0.86'));

  it('takes from the second what the first lacks, over the other base', () => {
    const judgement = judge(
      [primary, other(given('EUR', 'USD', '0.909'), given('BTC', 'USD', '0.00002'))],
      law([], { needed: new Set(['EUR', 'BTC']) }),
    );
    assert.deepEqual(
      judgement.accepted.map(({ unit, provider }) => `${unit} ${provider}`),
      ['USD fixer', 'GBP fixer', 'BTC openexchangerates'],
    );
    assert.deepEqual(judgement.lacking, []);
  });

  it('believes neither where they differ by more than 2 %, and the others stay', () => {
    const judgement = judge(
      [primary, other(given('EUR', 'USD', '0.909'), given('GBP', 'USD', '0.80'))],
      law(),
    );
    assert.deepEqual(names(judgement.accepted), ['USD']);
    assert.deepEqual(reasons(judgement), ['GBP contradicted']);
    assert.match(judgement.refusals[0]?.message ?? '', /Fixer and Open Exchange Rates differ/);
    const close = judge([primary, other(given('GBP', 'USD', '0.79'))], law());
    assert.deepEqual(names(close.accepted), ['USD', 'GBP']);
  });

  it('names, of several who contradict a rate that has moved far, whose rate it would have believed', () => {
    const witness = other(given('EUR', 'USD', '0.909'), given('GBP', 'USD', '1.3'));
    const lacking = fixer(given('USD', 'EUR', '1.10'));
    const last = law([believed('USD', 'EUR', '1.10'), believed('GBP', 'EUR', '0.86')]);
    const third = gecko(given('GBP', 'EUR', '0.86'));
    const against = (...heard: Heard[]) =>
      judge(heard, last).jumps.map(({ provider, contradictedBy }) => [provider, contradictedBy]);
    assert.deepEqual(against(primary, third, witness), [['openexchangerates', 'fixer']]);
    assert.deepEqual(against(primary, witness, third), [['openexchangerates', 'fixer']]);
    assert.deepEqual(against(lacking, third, witness), [['openexchangerates', 'coingecko']]);
    assert.deepEqual(against(lacking, witness), [['openexchangerates', null]]);
  });

  it('checks a rate against its own inverse from the other', () => {
    const judgement = judge([primary, other(given('EUR', 'USD', '0.5'))], law());
    assert.deepEqual(reasons(judgement), ['USD contradicted']);
    assert.deepEqual(names(judgement.accepted), ['GBP']);
  });

  it('checks a coin in dollars and in euros as a triangle', () => {
    const coin = (usd: string, eur: string): Heard => ({
      provider: 'coingecko',
      label: 'CoinGecko',
      feed: 'hourly',
      rates: [
        given('BTC', 'USD', usd, { inverted: true }),
        given('BTC', 'EUR', eur, { inverted: true }),
      ],
      heardAt: NOW,
    });
    const needed = new Set(['EUR', 'USD', 'BTC']);
    const fine = judge([primary, coin('55000', '50100')], law([], { needed }));
    assert.deepEqual([names(fine.accepted), fine.lacking], [['USD', 'GBP', 'BTC'], []]);
    const off = judge([primary, coin('55000', '47000')], law([], { needed }));
    assert.deepEqual(reasons(off), ['BTC inconsistent']);
    assert.deepEqual(off.lacking, ['BTC']);
    // With nothing else, the quote in what the desk needs is kept.
    const alone = judge([coin('55000', '50000')], law([], { needed: new Set(['EUR', 'BTC']) }));
    assert.deepEqual(
      alone.accepted.map(({ unit, base }) => `${unit}/${base}`),
      ['BTC/EUR'],
    );
  });

  it('judges each unit by itself: what is bad never changes what is believed of the others', () => {
    const units = ['USD', 'GBP', 'JPY', 'PLN', 'BTC', 'AED'];
    const fault = fc.constantFrom('NaN', '0', '-1', '1e9', '9999999', '');
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...units), fault), (faults) => {
        const last = units.map((unit, index) => believed(unit, 'EUR', `${index + 1}`));
        const rates = units.map((unit, index) =>
          given(
            unit,
            'EUR',
            Object.hasOwn(faults, unit) ? (faults[unit] ?? '') : `${index + 1}.01`,
          ),
        );
        const { accepted } = judge([fixer(...rates)], law(last));
        assert.deepEqual(
          names(accepted),
          units.filter((unit) => !Object.hasOwn(faults, unit)),
        );
      }),
    );
  });
});
