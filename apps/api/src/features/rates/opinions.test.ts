import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ago, coin, fixer, gecko, given, law, NOW, other } from '#test/judging.ts';
import { DAY, HOUR } from '#kernel/clock.ts';
import type { AttemptJson, OpinionJson } from '#platform/json-columns.ts';
import type { Heard } from './law.ts';
import { opinionsOn, presentOpinion, wordsOf } from './opinions.ts';

const attempt = (provider: string, outcome = 'ok'): AttemptJson => {
  return { provider, outcome, message: '', detail: '', duration_ms: 0, rates: 0 };
};
/** What those say of it, each of whom has answered. */
const said = (asked: typeof jump, ...heard: Heard[]) =>
  opinionsOn(
    asked,
    wordsOf(law(), {
      heard,
      attempts: heard.map(({ provider }) => attempt(provider)),
      before: new Map(),
    }),
    undefined,
  );
const figures = (opinions: readonly OpinionJson[]) =>
  opinions.map(({ provider, rate, answered }) => [provider, rate, answered]);
const edge = { unit: 'GBP', base: 'EUR', rate: '1.2', inverted: false, provider: 'fixer' };
const jump: typeof edge = edge;

describe('an opinion on a rate that waits', () => {
  it('is in the terms and the direction of the question, over its own rates alone', () => {
    const own = other(given('EUR', 'USD', '0.8'), given('GBP', 'USD', '0.7'));
    assert.deepEqual(figures(said(jump, fixer(given('GBP', 'EUR', '1.2')), own)), [
      ['openexchangerates', '0.875', true],
    ]);
    const price = { ...jump, rate: '0.5', inverted: true };
    assert.deepEqual(figures(said(price, own)), [
      ['openexchangerates', '1.142857142857142857', true],
    ]);
    const turned = other(given('EUR', 'GBP', '1.25'));
    assert.deepEqual(figures(said(jump, turned)), [['openexchangerates', '0.8', true]]);
    // Nothing of its own connects the two.
    const apart = other(given('GBP', 'USD', '0.7'));
    assert.deepEqual(figures(said(jump, apart)), [['openexchangerates', null, true]]);
  });

  it('is the figure of just these two, where others of the same provider would lead there too', () => {
    const asked = { ...jump, unit: 'ETH', rate: '9000', inverted: true };
    const prices = [
      ['BTC', 'USD', '100000'],
      ['BTC', 'EUR', '90000'],
      ['ETH', 'USD', '3000'],
      ['ETH', 'EUR', '2701'],
    ].map(([unit = '', base = '', rate = '']) => coin(unit, base, rate));
    assert.equal(said(asked, gecko(...prices.slice(0, 3)))[0]?.rate, '2700');
    assert.equal(said({ ...asked, provider: 'other' }, gecko(...prices))[0]?.rate, '2701');
  });

  it('is none of what could be no rate, is too old, or waits itself', () => {
    const nothings = [
      given('GBP', 'EUR', '0'),
      given('GBP', 'EUR', 'null'),
      given('GBP', 'EUR', '0.9', { asOf: ago(DAY) }),
      given('GBP', 'EUR', '0.9', { heardAt: NOW }),
    ];
    for (const nothing of nothings)
      assert.deepEqual(figures(said(jump, other(nothing))), [['openexchangerates', null, true]]);
  });

  it('bears the time of the oldest figure that it is counted from', () => {
    const old = ago(2 * HOUR);
    const [opinion] = said(
      jump,
      other(
        given('USD', 'EUR', '1.1', { asOf: old }),
        given('GBP', 'USD', '0.8'),
        // Older, and no part of it.
        given('CHF', 'EUR', '0.95', { asOf: ago(3 * HOUR) }),
      ),
    );
    assert.deepEqual([opinion?.rate, opinion?.as_of], ['0.88', old.toISOString()]);
  });

  it('is none of what is more than a rate can be, on a way over several', () => {
    const large = `1${'0'.repeat(18)}`;
    const over = (one: string, two: string, three: string) =>
      said(
        jump,
        other(given('AAA', 'EUR', one), given('BBB', 'AAA', two), given('GBP', 'BBB', three)),
      );
    // 54 digits before the point, 31, and the most that is told.
    for (const tooLarge of [over(large, large, large), over(large, '1000000000000', '1')])
      assert.deepEqual(figures(tooLarge), [['openexchangerates', null, true]]);
    assert.equal(over(large, '999999999990', '1')[0]?.rate, `99999999999${'0'.repeat(19)}`);
  });

  it('tells who gave no answer, and when who was not asked said its last rates', () => {
    const wellBefore = ago(2 * HOUR);
    const bank = { ...fixer(given('GBP', 'EUR', '0.9')), provider: 'frankfurter' } as const;
    const words = wordsOf(law(), {
      heard: [{ ...other(given('EUR', 'USD', '0.8')), heardAt: ago(DAY) }, bank],
      attempts: [
        attempt('openexchangerates', 'cadence'),
        // It has nothing new, and counts as heard in this run.
        attempt('frankfurter', 'not_due'),
        attempt('currencylayer', 'unavailable'),
        attempt('currencyapi', 'no_key'),
      ],
      before: new Map([['frankfurter', { last_success_at: wellBefore }]]),
    });
    const opinions = opinionsOn(jump, words, undefined);
    assert.deepEqual(figures(opinions), [
      ['frankfurter', '0.9', true],
      ['currencylayer', null, false],
    ]);
    assert.deepEqual(
      opinions.map(({ heard_at }) => heard_at),
      [wellBefore.toISOString(), NOW.toISOString()],
    );
  });

  it('is of the run that brings the question, or else stays while the figure is the very same', () => {
    const heard_at = ago(HOUR).toISOString();
    const said = { rate: '0.91', answered: true, heard_at, as_of: heard_at };
    const former = { provider: 'frankfurter', ...said };
    const before = { ...jump, rate: '1.200000000000000000', opinions: [former] };
    assert.deepEqual(opinionsOn(jump, [], before), [former]);
    const changed = [
      { rate: '1.2001' },
      { base: 'USD' },
      { inverted: true },
      { provider: 'currencyapi' },
    ];
    for (const change of changed)
      assert.deepEqual(opinionsOn(jump, [], { ...before, ...change }), []);
    // Who was asked now has the word, be it that there was no answer.
    const attempts = [attempt('openexchangerates', 'unavailable'), attempt('fixer')];
    const words = wordsOf(law(), { heard: [], attempts, before: new Map() });
    assert.deepEqual(figures(opinionsOn(jump, words, before)), [
      ['openexchangerates', null, false],
    ]);
  });
});

describe('presentOpinion', () => {
  const present = (rate: string | null) => {
    const times = { heard_at: NOW.toISOString(), as_of: NOW.toISOString() };
    const opinion = { provider: 'fixer', rate, answered: true, ...times };
    const { label, away_percent, agrees } = presentOpinion(jump, opinion);
    return [label, away_percent, agrees];
  };

  it('tells how far it is from the rate that waits, and whether two may differ so', () => {
    assert.deepEqual(present('1.176'), ['Fixer', '-2', true]);
    assert.deepEqual(present('1.1759'), ['Fixer', '-2.008333', false]);
    assert.deepEqual(present('1.2'), ['Fixer', '0', true]);
    assert.deepEqual(present(null), ['Fixer', null, null]);
  });
});
