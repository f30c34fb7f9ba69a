/** What a run and a test of the key leave of each other where they overlap. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { answerTo } from './last-answer.ts';
import { blankState } from './provider-state.ts';
import { remembered } from './remembered.ts';

const at = (ms: number) => new Date(Date.parse('2026-11-21T10:00:00Z') + ms);
const month = '2026-11';
const start = { ...blankState, provider: 'fixer', month, requests: 3, failures: 2 };
const refused = {
  ...start,
  requests: 4,
  failures: 3,
  open_until: at(HOUR),
  asked_at: at(0),
  last_failure: 'invalid_key',
  last_failure_at: at(0),
  ...answerTo('run', at(0), { failure: 'invalid_key' }),
};
const good = {
  ...start,
  requests: 4,
  failures: 0,
  last_success_at: at(0),
  units: ['EUR'],
  ...answerTo('run', at(0), { unusable: null }),
};
const tested = (said: Parameters<typeof answerTo>[2], retry_at: Date | null = null) => ({
  ...start,
  ...answerTo('test', at(MINUTE), said),
  retry_at,
});
const counted = { ...start, requests: 4 };

describe('what is remembered where a run and a test overlap', () => {
  it('has the answer of the later one, the requests of both, and what the run alone knows', () => {
    const test = tested({ failure: 'unavailable' });
    const ends = [
      remembered(start, good, { ...test, requests: 4 }),
      remembered(start, test, { ...good, requests: 5 }),
    ];
    const expected = { ...good, ...answerTo('test', at(MINUTE), { failure: 'unavailable' }) };
    for (const state of ends) assert.deepEqual(state, { ...expected, requests: 5 });
  });

  it('takes a failure back by the good answer of a later test, whichever ends first', () => {
    const test = tested({ unusable: null });
    for (const state of [
      remembered(start, refused, { ...test, requests: 4 }),
      remembered(start, test, { ...refused, requests: 5 }),
    ]) {
      const { last_failure, failures, open_until, requests } = state;
      assert.deepEqual([last_failure, failures, open_until, requests], [null, 0, null, 5]);
    }
  });

  it('has the failure of a run that asked after a good test, which counts anew, whichever ends first', () => {
    const before = { ...start, last_failure: 'invalid_key' };
    const test = {
      ...start,
      last_failure: null,
      failures: 0,
      ...answerTo('test', at(0), { unusable: null }),
    };
    const later = { ...refused, ...answerTo('run', at(MINUTE), { failure: 'invalid_key' }) };
    for (const state of [remembered(before, later, test), remembered(before, test, later)])
      assert.deepEqual(
        [state.last_failure, state.failures, state.open_until, state.refused_at],
        ['invalid_key', 1, null, at(MINUTE)],
      );
  });

  it('closes the breaker by a good test though a run by hand failed after it, whichever ends first', () => {
    const before = { ...start, failures: 3, open_until: at(HOUR) };
    const test = {
      ...before,
      ...answerTo('test', at(0), { unusable: null }),
    };
    const byHand = { ...before, ...answerTo('run', at(MINUTE), { failure: 'unavailable' }) };
    for (const state of [
      remembered(before, test, byHand),
      remembered(before, byHand, { ...test, failures: 0, open_until: null }),
    ])
      assert.deepEqual([state.failures, state.open_until], [0, null]);
  });

  it('counts the first failure of a new key where a good test of it ended before', () => {
    const before = { ...start, failures: 1, asked_at: at(-HOUR) };
    const failed = {
      ...before,
      asked_at: at(0),
      last_failure: 'unavailable',
      ...answerTo('run', at(MINUTE), { failure: 'unavailable' }),
    };
    const test = { ...before, ...answerTo('test', at(0), { unusable: null }) };
    for (const state of [
      remembered(before, failed, { ...test, failures: 0 }),
      remembered(before, test, failed),
    ])
      assert.equal(state.failures, 1);
  });

  it('leaves the breaker as the run has it where a later test has nothing usable', () => {
    const state = remembered(start, refused, tested({ unusable: 'Fixer gave 0 for BTC.' }));
    assert.deepEqual([state.last_failure, state.failures], [null, 3]);
  });

  it('keeps a pause that either was asked for, until its end', () => {
    const test = tested({ failure: 'rate_limited' }, at(2 * HOUR));
    assert.deepEqual(remembered(start, good, test).retry_at, at(2 * HOUR));
    const paused = { ...refused, retry_at: at(3 * HOUR) };
    assert.deepEqual(remembered(start, test, paused).retry_at, at(3 * HOUR));
    assert.deepEqual(remembered(start, paused, test).retry_at, at(3 * HOUR));
    assert.deepEqual(remembered(start, tested({ unusable: null }), paused).retry_at, at(3 * HOUR));
  });

  it('ends a pause that both knew of when they began', () => {
    const before = { ...start, retry_at: at(HOUR) };
    assert.equal(remembered(before, { ...good, retry_at: null }, before).retry_at, null);
  });

  it('counts by the later month', () => {
    const december = { ...counted, month: '2026-12', requests: 1 };
    const ends = [
      remembered(start, good, december),
      remembered(start, { ...good, month: '2026-12', requests: 1 }, counted),
    ];
    for (const state of ends) assert.deepEqual([state.month, state.requests], ['2026-12', 1]);
  });
});
