import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ago, coin, fixer, gecko, given, law, NOW, other } from '#test/judging.ts';
import { DAY } from '#kernel/clock.ts';
import type { AttemptJson, OpinionJson } from '#platform/rate-tables.ts';
import type { Heard } from './law.ts';
import { opinionsOn, presentOpinion, wordsOf } from './opinions.ts';

const attempt = (provider: string, outcome = 'ok'): AttemptJson => {
  return { provider, outcome, message: '', detail: '', duration_ms: 0, rates: 0 };
};
/** What those say of it, each of whom has answered. */
const said = (asked: typeof jump, ...heard: Heard[]) =>
  opinionsOn(
    asked,
    wordsOf(law(), { heard, attempts: heard.map(({ provider }) => attempt(provider)) }),
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

  it('tells who gave no answer, and nothing of who was not asked and says its last rates again', () => {
    const heard = [{ ...other(given('EUR', 'USD', '0.8')), heardAt: ago(DAY) }];
    const attempts = [
      attempt('openexchangerates', 'cadence'),
      attempt('frankfurter', 'unavailable'),
      attempt('currencyapi', 'no_key'),
    ];
    const words = wordsOf(law(), { heard, attempts });
    assert.deepEqual(figures(opinionsOn(jump, words, undefined)), [['frankfurter', null, false]]);
  });

  it('stays with the question while nothing newer is said, and ends with it', () => {
    const heard_at = ago(DAY).toISOString();
    const opinions = [
      { provider: 'openexchangerates', rate: '0.9', answered: true, heard_at },
      { provider: 'frankfurter', rate: '0.91', answered: true, heard_at },
      { provider: 'fixer', rate: '0.92', answered: true, heard_at },
    ];
    const words = wordsOf(law(), {
      heard: [other(given('GBP', 'EUR', '0.95'))],
      attempts: [attempt('openexchangerates'), attempt('frankfurter', 'unavailable')],
    });
    const on = (rate: string, inverted = false) =>
      figures(opinionsOn(jump, words, { ...jump, rate, inverted, opinions }));
    const now = ['openexchangerates', '0.95', true];
    assert.deepEqual(on('1.21'), [now, ['frankfurter', '0.91', true]]);
    assert.deepEqual(on('1.3'), [now, ['frankfurter', null, false]]);
    assert.deepEqual(on('0.83', true), [now, ['frankfurter', null, false]]);
  });
});

describe('presentOpinion', () => {
  const present = (rate: string | null) => {
    const opinion = { provider: 'fixer', rate, answered: true, heard_at: NOW.toISOString() };
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
