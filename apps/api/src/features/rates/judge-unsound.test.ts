/** What is no rate at all says nothing, neither of itself nor about what others say. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { HOUR } from '#kernel/clock.ts';
import {
  ago,
  believed,
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
import { insteadWords } from './words.ts';

const nothings = ['null', '"0.77"', 'NaN', '0', '-1.3', 'too large', 'too small', '0.77777777…'];

describe('a figure that is no rate', () => {
  it('does not stop a witness who gives it for a base that two others contradict each other about', () => {
    for (const nothing of nothings) {
      const third: Heard = {
        ...fixer(given('EUR', 'USD', nothing), given('GBP', 'USD', '0.677')),
        provider: 'currencylayer',
        label: 'currencylayer',
      };
      const judgement = judge(
        [
          fixer(given('USD', 'EUR', '1.3'), given('GBP', 'EUR', '0.88')),
          other(given('EUR', 'USD', '0.72')),
          third,
        ],
        law([believed('USD', 'EUR', '1.3'), believed('GBP', 'EUR', '0.88')]),
      );
      assert.deepEqual(names(judgement.accepted), ['GBP'], nothing);
      assert.deepEqual(reasons(judgement), ['USD contradicted', 'EUR not_a_rate'], nothing);
    }
  });

  it('is no knowledge of a jump that waits', () => {
    for (const nothing of nothings) {
      const second: Heard = {
        ...fixer(given('USD', 'EUR', nothing), given('GBP', 'EUR', '0.88')),
        provider: 'frankfurter',
        label: 'Frankfurter',
      };
      const judgement = judge(
        [fixer(given('USD', 'EUR', '1.9')), second],
        law([believed('USD', 'EUR', '1.3'), believed('GBP', 'USD', '0.677')]),
      );
      assert.deepEqual(names(judgement.jumps), ['USD'], nothing);
      assert.deepEqual(reasons(judgement), ['GBP base_waits'], nothing);
    }
  });

  it('is told of who gave it, though another fills in, and holds nothing up', () => {
    const told = ({ refusals, besides }: ReturnType<typeof judge>) =>
      [refusals, besides].map((each) =>
        each.map(
          ({ provider, message, instead = null }) => message + insteadWords(provider, instead),
        ),
      );
    const primary = other(
      given('EUR', 'USD', '0'),
      given('GBP', 'USD', '"NaN"'),
      coin('BTC', 'USD', '-5'),
    );
    const second = fixer(given('USD', 'EUR', '1.3'), given('GBP', 'EUR', '0.88'));
    // The dollar in euros is the euro in dollars.
    assert.deepEqual(told(judge([primary, second], law())), [
      ['Open Exchange Rates gave -5 for BTC.'],
      [
        'Open Exchange Rates gave 0 for EUR. The rate from Fixer stands.',
        'Open Exchange Rates gave "NaN" for GBP. The rate from Fixer stands.',
      ],
    ]);
    // Whoever was asked first, and of each figure of the one who has two.
    const twice = gecko(coin('BTC', 'USD', '0'), coin('BTC', 'EUR', '30000'));
    assert.deepEqual(told(judge([second, primary, twice], law())), [
      [],
      [
        'Open Exchange Rates gave 0 for EUR. The rate from Fixer stands.',
        'Open Exchange Rates gave "NaN" for GBP. The rate from Fixer stands.',
        'Open Exchange Rates gave -5 for BTC. The rate from CoinGecko stands.',
        'CoinGecko gave 0 for BTC. Its other rate stands.',
      ],
    ]);
    // What is repeated was told when it was said.
    const before = given('GBP', 'USD', '0.6', { asOf: ago(4 * HOUR), heardAt: ago(HOUR) });
    assert.deepEqual(told(judge([second, other(before)], law())), [[], []]);
    // What waits, and what two have given as nothing, stands nowhere else.
    const jumped = law([believed('GBP', 'EUR', '0.7')]);
    const none = gecko(given('EUR', 'USD', '0'), given('EUR', 'GBP', '0'));
    assert.deepEqual(told(judge([primary, fixer(given('GBP', 'EUR', '0.88')), none], jumped)), [
      ['Open Exchange Rates gave 0 for EUR.', 'Open Exchange Rates gave -5 for BTC.'],
      ['Open Exchange Rates gave "NaN" for GBP.', 'CoinGecko gave 0 for EUR.'],
    ]);
  });

  it('is told by its beginning where it is too long', () => {
    const { refusals } = judge([fixer(given('GBP', 'EUR', '0.77777777…'))], law());
    assert.deepEqual(
      refusals.map(({ message }) => message),
      ['Fixer gave 0.77777777… for GBP, which is too long to be kept.'],
    );
  });

  it('is a coin whose time cannot be read, though its price can', () => {
    const asOf = new Date(Number.NaN);
    const untimed = [coin('BTC', 'USD', '60000'), coin('BTC', 'EUR', '50000')];
    const { accepted, refusals } = judge(
      [gecko(coin('ETH', 'USD', '3000'), ...untimed.map((each) => ({ ...each, asOf })))],
      law(),
    );
    assert.deepEqual(names(accepted), ['ETH']);
    assert.deepEqual(
      refusals.map(({ message }) => message),
      ['CoinGecko gave BTC without a time that can be read.'],
    );
  });

  it('is a base that is not one of itself, and takes back nothing that was heard before', () => {
    const before = given('GBP', 'USD', '1.1', { heardAt: ago(HOUR) });
    const judgement = judge(
      [
        fixer(given('USD', 'EUR', '1.3'), given('GBP', 'EUR', '0.88')),
        other(given('USD', 'USD', '1.2'), given('EUR', 'USD', '0.769'), before),
      ],
      law([believed('USD', 'EUR', '1.3'), believed('GBP', 'EUR', '0.88')]),
    );
    assert.deepEqual([names(judgement.accepted), names(judgement.jumps)], [['USD'], ['GBP']]);
    assert.equal(judgement.jumps[0]?.seenAt, before.heardAt);
  });

  it('is never believed, always told and never ends a run, whoever gives it of what', () => {
    const units = fc.constantFrom('EUR', 'USD', 'GBP', 'BTC');
    const figure = fc
      .record({
        unit: units,
        base: fc.constantFrom('EUR', 'USD'),
        rate: fc.constantFrom(...nothings, '0.677', '0.72', '0.77', '0.88', '1', '1.3', '1.9'),
        inverted: fc.boolean(),
      })
      .map(({ unit, base, rate, inverted }) => given(unit, base, rate, { inverted }));
    const said = fc.array(figure, { maxLength: 6 });
    const market = [
      believed('USD', 'EUR', '1.3'),
      believed('GBP', 'USD', '0.677'),
      believed('BTC', 'EUR', '1'),
    ];
    fc.assert(
      fc.property(said, said, said, (first, second, third) => {
        const heard = [fixer(...first), other(...second), gecko(...third)];
        const { accepted, jumps, refusals, besides } = judge(heard, law(market));
        for (const { rate } of [...accepted, ...jumps])
          assert.ok(!nothings.includes(rate) && Number(rate) > 0);
        const told = [...refusals, ...besides];
        for (const { provider, rates } of heard)
          for (const { unit, base, rate } of rates)
            if (unit !== base && nothings.includes(rate))
              assert.ok(told.some((each) => each.unit === unit && each.provider === provider));
      }),
      { numRuns: 2000 },
    );
  });
});
