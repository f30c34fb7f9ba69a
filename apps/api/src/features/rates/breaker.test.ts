import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RateFailure } from '@cambist/contract/rate-settings';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { afterFailure, breakerState, hasNewKey, type BreakerMemory } from './breaker.ts';

const START = new Date('2026-03-14T12:00:00Z');
const after = (ms: number) => new Date(START.getTime() + ms);

function failing(times: number, failure: RateFailure = 'invalid_key') {
  let memory: Pick<BreakerMemory, 'failures' | 'open_until'> = { failures: 0, open_until: null };
  for (let count = 0; count < times; count += 1)
    memory = afterFailure(memory.failures, START, failure);
  return { ...memory, last_failure_at: START };
}

describe('the breaker', () => {
  it('opens at the third failure in a row, for an hour, doubling to twelve', () => {
    assert.equal(breakerState(failing(2), START, null), 'closed');
    const pauses = [3, 4, 5, 6, 7, 8, 100].map(
      (times) => ((failing(times).open_until?.getTime() ?? 0) - START.getTime() + MINUTE) / HOUR,
    );
    assert.deepEqual(pauses, [1, 2, 4, 8, 12, 12, 12]);
  });

  it('waits an hour at most for what ends by itself', () => {
    for (const failure of ['unavailable', 'rate_limited'] as const)
      assert.deepEqual(failing(100, failure).open_until, after(HOUR - MINUTE));
  });

  it('lets one try through when the pause is over, also where the hourly run is a little early', () => {
    const memory = failing(3);
    assert.equal(breakerState(memory, after(58 * MINUTE), null), 'open');
    assert.equal(breakerState(memory, after(HOUR - 1), null), 'half_open');
  });

  it('is closed by a key that was set since', () => {
    const memory = failing(5);
    assert.equal(breakerState(memory, after(MINUTE), after(1)), 'closed');
    assert.equal(breakerState(memory, after(MINUTE), after(-1)), 'open');
    assert.equal(hasNewKey(memory.last_failure_at, null), false);
  });
});
