import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { marketOf, type AcceptedRate } from '#features/rates/market/cross.ts';
import { acceptRates, type Known, type ProviderAnswer } from './acceptance.ts';
import type { Quote } from './providers/provider.ts';

const NOW = new Date('2026-03-14T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const quote = (unit: string, base: string, rate: string, rest: Partial<Quote> = {}): Quote => ({
  unit,
  base,
  rate,
  inverted: false,
  asOf: ago(10 * MINUTE),
  ...rest,
});
/** The price of a coin in the base. */
const coin = (unit: string, base: string, rate: string) =>
  quote(unit, base, rate, { inverted: true });

const answer = (provider: ProviderAnswer['provider'], ...quotes: Quote[]): ProviderAnswer => ({
  provider,
  label: provider,
  feed: 'hourly',
  quotes,
  earlierRates: [],
});
const fixer = (...quotes: Quote[]) => answer('fixer', ...quotes);
const gecko = (...quotes: Quote[]) => answer('coingecko', ...quotes);
const oxr = (...quotes: Quote[]) => answer('openexchangerates', ...quotes);

const accepted = (unit: string, base: string, rate: string): AcceptedRate => {
  const times = { asOf: ago(HOUR), confirmedAt: ago(HOUR), freshUntil: ago(-HOUR) };
  return { unit, base, rate, inverted: false, provider: 'fixer', ...times };
};
const MARKET = [accepted('USD', 'EUR', '1.1'), accepted('GBP', 'EUR', '0.85')];

function known(rates: readonly AcceptedRate[] = MARKET, rest: Partial<Known> = {}): Known {
  return {
    now: NOW,
    market: marketOf(rates, NOW),
    newest: rates,
    dayAgo: [],
    lastPrices: marketOf([], NOW),
    limits: {
      jump_percent: '10',
      day_percent: '30',
      max_age_hours: { hourly: 3, daily: 26, central_bank: 120 },
    },
    needed: ['EUR', 'USD', 'GBP'],
    openQuestions: [],
    rejectedQuotes: [],
    ...rest,
  };
}

/** `USD 1.11` for an accepted rate, `USD? jump 36.4` for a question, `USD! reason` for a rejection. */
function result(answers: readonly ProviderAnswer[], given = known()): string[] {
  const found = acceptRates(answers, given);
  return [
    ...found.accepted.map(({ unit, rate }) => `${unit} ${rate}`),
    ...found.questions.map((each) => `${each.unit}? ${each.reason} ${each.changePercent}`),
    ...found.rejections.map(({ unit, reason }) => `${unit}! ${reason}`),
  ];
}

describe('a quote by itself', () => {
  const cases: readonly (readonly [string, Quote, string])[] = [
    ['is accepted', quote('USD', 'EUR', '1.11'), 'USD 1.11'],
    [
      'keeps all its digits',
      quote('USD', 'EUR', '1.100000000000000001'),
      'USD 1.100000000000000001',
    ],
    ['is rejected where it is zero', quote('USD', 'EUR', '0.00'), 'USD! not_a_rate'],
    ['is rejected where it is negative', quote('USD', 'EUR', '-1.1'), 'USD! not_a_rate'],
    ['is rejected where it is no number', quote('USD', 'EUR', 'NaN'), 'USD! not_a_rate'],
    ['is rejected where it is a text', quote('USD', 'EUR', '"1.1"'), 'USD! not_a_rate'],
    [
      'is rejected where it is too large to store',
      quote('USD', 'EUR', 'too large'),
      'USD! not_a_rate',
    ],
    [
      'is rejected where its inverse is nothing',
      quote('USD', 'EUR', `1${'0'.repeat(19)}`),
      'USD! not_a_rate',
    ],
    [
      'is rejected without a time',
      quote('USD', 'EUR', '1.1', { asOf: new Date(Number.NaN) }),
      'USD! not_a_rate',
    ],
    ['may be a little ahead', quote('USD', 'EUR', '1.1', { asOf: ago(-5 * MINUTE) }), 'USD 1.1'],
    [
      'is rejected from the future',
      quote('USD', 'EUR', '1.1', { asOf: ago(-6 * MINUTE) }),
      'USD! from_the_future',
    ],
    [
      'is rejected where it is older than its feed may be',
      quote('USD', 'EUR', '1.1', { asOf: ago(3 * HOUR + 1) }),
      'USD! too_old',
    ],
    [
      'is rejected where it is older than the last of its provider',
      quote('USD', 'EUR', '1.1', { asOf: ago(HOUR + 1) }),
      'USD! older_than_last',
    ],
  ];
  for (const [name, given, expected] of cases)
    it(name, () => assert.deepEqual(result([fixer(given)]), [expected]));

  it('of a daily feed is accepted over a weekend, and one of an hourly feed is not', () => {
    const old = quote('CHF', 'EUR', '0.95', { asOf: ago(72 * HOUR) });
    const bank = { ...answer('frankfurter', old), feed: 'central_bank' as const };
    assert.deepEqual(result([bank]), ['CHF 0.95']);
    assert.deepEqual(result([fixer(old)]), ['CHF! too_old']);
  });

  it('does not stop the others', () => {
    const quotes = [quote('USD', 'EUR', '0'), quote('GBP', 'EUR', '0.86')];
    assert.deepEqual(result([fixer(...quotes)]), ['GBP 0.86', 'USD! not_a_rate']);
  });

  it('is rejected with all others where the rate of its base in itself is not 1', () => {
    const quotes = [quote('EUR', 'EUR', '1000'), quote('USD', 'EUR', '1.1')];
    assert.deepEqual(result([fixer(...quotes)]), ['USD! base_not_one']);
  });
});

describe('a move', () => {
  it('of exactly the limit is accepted, and a larger one is a question', () => {
    assert.deepEqual(result([fixer(quote('USD', 'EUR', '1.21'))]), ['USD 1.21']);
    assert.deepEqual(result([fixer(quote('USD', 'EUR', '0.99'))]), ['USD 0.99']);
    const above = quote('USD', 'EUR', '1.210000000000000001');
    assert.deepEqual(result([fixer(above)]), ['USD? jump 10']);
    assert.deepEqual(result([fixer(quote('USD', 'EUR', '0.98'))]), ['USD? jump -10.90909']);
    assert.deepEqual(result([fixer(quote('USD', 'EUR', '1100'))]), ['USD? jump 99900']);
  });

  it('is measured in the direction of the provider', () => {
    const market = known([{ ...accepted('BTC', 'USD', '100'), inverted: true }]);
    assert.deepEqual(result([gecko(coin('BTC', 'USD', '110'))], market), ['BTC 110']);
    assert.deepEqual(result([gecko(coin('BTC', 'USD', '90'))], market), ['BTC 90']);
    assert.deepEqual(result([gecko(coin('BTC', 'USD', '89'))], market), ['BTC? jump -11']);
  });

  it('in small steps is a question when it is too far from the rate of a day ago', () => {
    const dayAgo = [marketOf([accepted('USD', 'EUR', '0.9')], NOW)];
    const crept = known(MARKET, { dayAgo });
    assert.deepEqual(result([fixer(quote('USD', 'EUR', '1.17'))], crept), ['USD 1.17']);
    const [question] = acceptRates([fixer(quote('USD', 'EUR', '1.18'))], crept).questions;
    assert.deepEqual(
      [question?.reason, question?.previous, question?.changePercent],
      ['drift', '0.9', '31.111111'],
    );
  });

  it('is measured by a cross where the provider has another base', () => {
    const dollars = oxr(quote('EUR', 'USD', '0.909'), quote('GBP', 'USD', '0.7727'));
    assert.deepEqual(result([dollars]), ['EUR 0.909', 'GBP 0.7727']);
    const wrong = oxr(quote('EUR', 'USD', '0.909'), quote('GBP', 'USD', '772.7'));
    assert.deepEqual(result([wrong])[1], 'GBP? jump 99896.470588');
  });

  it('is measured by the rates of its own answer where no accepted rate connects its base', () => {
    const market = known([accepted('GBP', 'EUR', '0.85')], { needed: ['EUR', 'GBP'] });
    const wrong = oxr(quote('EUR', 'USD', '0.909'), quote('GBP', 'USD', '772.7'));
    assert.deepEqual(
      result([wrong], market).map((each) => each.split(' ', 2).join(' ')),
      ['EUR 0.909', 'GBP? jump'],
    );
  });

  it('of the first rate of a unit is measured from the last mid rates of pairs', () => {
    const lastPrices = marketOf([accepted('CHF', 'EUR', '0.95')], NOW);
    const sold = known(MARKET, { lastPrices });
    assert.deepEqual(result([fixer(quote('CHF', 'EUR', '950'))], sold), ['CHF? jump 99900']);
    assert.deepEqual(result([fixer(quote('CHF', 'EUR', '950'))]), ['CHF 950']);
  });
});

describe('quotes of one provider', () => {
  it('are rejected where a rate contradicts its inverse', () => {
    const fitting = [quote('USD', 'EUR', '1.1'), quote('EUR', 'USD', '0.91')];
    assert.deepEqual(result([fixer(...fitting)]), ['USD 1.1']);
    const other = [quote('USD', 'EUR', '1.1'), quote('EUR', 'USD', '0.95')];
    assert.deepEqual(result([fixer(...other)]), ['USD! inconsistent', 'EUR! inconsistent']);
  });

  it('are rejected where a triangle is inconsistent', () => {
    const prices = (inEuros: string) =>
      gecko(coin('BTC', 'USD', '110000'), coin('BTC', 'EUR', inEuros));
    assert.deepEqual(result([prices('100000')]), ['BTC 110000']);
    assert.deepEqual(result([prices('90000')]), ['BTC! inconsistent']);
    // Without any other rate of dollars in euros the coins are compared with each other.
    const alone = known([], { needed: [] });
    const ether = [coin('ETH', 'USD', '3300'), coin('ETH', 'EUR', '3000')];
    const both = gecko(coin('BTC', 'USD', '110000'), coin('BTC', 'EUR', '90000'), ...ether);
    assert.deepEqual(result([both], alone), ['BTC! inconsistent', 'ETH! inconsistent']);
  });

  it('are not compared by a rate that is itself a question', () => {
    const answers = [
      fixer(quote('USD', 'EUR', '1.3')),
      gecko(coin('BTC', 'USD', '110000'), coin('BTC', 'EUR', '84615')),
    ];
    assert.deepEqual(result(answers), ['BTC 110000', 'USD? jump 18.181818']);
  });
});

describe('several providers', () => {
  it('are used in order: the first with a good rate wins, the next fills in missing units', () => {
    const answers = [
      fixer(quote('USD', 'EUR', '1.11'), quote('GBP', 'EUR', '0')),
      oxr(quote('EUR', 'USD', '0.8'), quote('GBP', 'USD', '0.77')),
    ];
    const { missing, unanswered } = acceptRates(answers.slice(0, 1), known());
    assert.deepEqual([missing, unanswered], [['GBP'], ['GBP']]);
    assert.deepEqual(result(answers), ['USD 1.11', 'GBP 0.77', 'GBP! not_a_rate']);
    assert.deepEqual(acceptRates(answers, known()).missing, []);
  });

  it('do not answer a question for the admin', () => {
    const answers = [fixer(quote('USD', 'EUR', '1.5')), oxr(quote('EUR', 'USD', '0.91'))];
    assert.deepEqual(result(answers), ['USD? jump 36.363636']);
  });

  it('keep an open question of an earlier provider without a new quote', () => {
    const openQuestions = [{ unit: 'USD', base: 'EUR', provider: 'fixer' }];
    const waiting = known(MARKET, { openQuestions });
    const later = answer('frankfurter', quote('USD', 'EUR', '1.1'));
    assert.deepEqual(result([fixer(), later], waiting), []);
    const gone = result([later], waiting);
    assert.deepEqual(gone, ['USD 1.1']);
    assert.deepEqual(result([fixer(quote('USD', 'EUR', '1.12')), later], waiting), ['USD 1.12']);
  });

  it('fill in where an admin rejected the rate of an earlier one, which is not questioned again', () => {
    const rejected = { ...quote('USD', 'EUR', '1100'), provider: 'fixer' };
    const given = known(MARKET, { rejectedQuotes: [rejected] });
    const later = answer('frankfurter', quote('USD', 'EUR', '1.1'));
    assert.deepEqual(result([fixer(quote('USD', 'EUR', '1105')), later], given), [
      'USD 1.1',
      'USD! rejected_before',
    ]);
    const other = result([fixer(quote('USD', 'EUR', '1.5'))], given);
    assert.deepEqual(other, ['USD? jump 36.363636']);
    assert.deepEqual(result([answer('frankfurter', quote('USD', 'EUR', '1100'))], given), [
      'USD? jump 99900',
    ]);
  });

  it('keep the rates of a skipped one', () => {
    const [earlierRates] = MARKET;
    const idle = { ...fixer(), earlierRates: earlierRates ? [earlierRates] : [] };
    const later = answer('frankfurter', quote('USD', 'EUR', '1.2'), quote('GBP', 'EUR', '0.86'));
    assert.deepEqual(result([idle, later]), ['USD 1.1', 'GBP 0.86']);
  });
});
