import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RateFailure } from '@cambist/contract/rate-settings';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import { afterFailure, BLANK_STATE, breakerState, nextTurn, retryAtOf } from './schedule.ts';

const NOW = new Date('2026-11-21T10:17:31Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);
const blank = { ...BLANK_STATE, provider: 'fixer' };

describe('the circuit breaker', () => {
  function failing(times: number, failure: RateFailure = 'invalid_key') {
    const state = { ...blank, last_fetch_at: NOW };
    for (let count = 0; count < times; count += 1)
      Object.assign(state, afterFailure(state.failures, NOW, failure));
    return state;
  }

  it('opens at the third failure in a row, for an hour, doubling to twelve', () => {
    assert.equal(breakerState(failing(2), NOW, null), 'closed');
    const pauses = [3, 4, 5, 6, 7, 8, 100].map(
      (times) => ((failing(times).open_until?.getTime() ?? 0) - NOW.getTime() + MINUTE) / HOUR,
    );
    assert.deepEqual(pauses, [1, 2, 4, 8, 12, 12, 12]);
  });

  it('is open for an hour at most after a failure that ends by itself', () => {
    for (const failure of ['unavailable', 'rate_limited'] as const)
      assert.deepEqual(failing(100, failure).open_until, after(HOUR - MINUTE));
  });

  it('allows one try after the pause, also for a run that is a little early', () => {
    assert.equal(breakerState(failing(3), after(58 * MINUTE), null), 'open');
    assert.equal(breakerState(failing(3), after(HOUR - 1), null), 'half_open');
  });

  it('is closed by a new key', () => {
    assert.equal(breakerState(failing(5), after(MINUTE), after(1)), 'closed');
    assert.equal(breakerState(failing(5), after(MINUTE), after(-1)), 'open');
  });
});

describe('Retry-After', () => {
  it('is read as seconds or as a date, at most a day ahead', () => {
    assert.deepEqual(retryAtOf('120', NOW), after(120 * SECOND));
    const noon = new Date('2026-11-21T12:00:00Z');
    assert.deepEqual(retryAtOf('Sat, 21 Nov 2026 12:00:00 GMT', NOW), noon);
    for (const long of ['86401', '999999999999', 'Fri, 31 Dec 9999 23:59:59 GMT'])
      assert.deepEqual(retryAtOf(long, NOW), after(DAY), long);
  });

  it('is ignored where it is invalid or has passed', () => {
    const none = [undefined, '', '0', 'soon'];
    const past = ['Sat, 21 Nov 2026 10:17:31 GMT', 'Sat, 41 Foo 2026 12:00:00 GMT'];
    for (const header of [...none, ...past, '1'.repeat(400)])
      assert.equal(retryAtOf(header, NOW), null, String(header));
  });
});

describe('the turn of a provider', () => {
  const state = { ...blank, fetched_at: NOW, last_success_at: NOW, units: ['EUR'] };
  const at = (now: Date, rest: Partial<Parameters<typeof nextTurn>[1]> = {}) =>
    ({ now, keySetAt: null, units: ['EUR'], cadence: 8, ...rest }) as const;

  it('comes after its cadence, at the next run of the schedule', () => {
    const evening = new Date('2026-11-21T19:00:00Z');
    assert.deepEqual(nextTurn(state, at(after(HOUR))), evening);
    assert.deepEqual(nextTurn(state, at(after(8 * HOUR - 2 * MINUTE))), evening);
    assert.equal(nextTurn(state, at(after(8 * HOUR - 30 * SECOND))), null);
    assert.equal(nextTurn(blank, at(NOW)), null);
    assert.equal(nextTurn(state, at(after(MINUTE), { cadence: 1 })), null);
  });

  it('comes at once with a new unit or a new key', () => {
    assert.equal(nextTurn(state, at(after(HOUR), { units: ['EUR', 'USD'] })), null);
    assert.equal(nextTurn(state, at(after(HOUR), { keySetAt: after(MINUTE) })), null);
  });

  it('comes at once after a failure', () => {
    assert.equal(nextTurn({ ...state, last_success_at: null }, at(after(HOUR))), null);
  });
});
