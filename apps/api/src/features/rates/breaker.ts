/**
 * Pure: a provider that failed three times in a row is left alone, for an hour
 * at first and for twelve at last; then one try decides. What ends by itself,
 * such as an outage, is never waited for longer than an hour. A key that was set
 * since the last failure closes it: what failed was the old one.
 */
import type { RateFailure } from '@cambist/contract/rate-settings';
import { HOUR, MINUTE } from '#kernel/clock.ts';

export interface BreakerMemory {
  /** In a row. */
  readonly failures: number;
  readonly open_until: Date | null;
  readonly last_failure_at: Date | null;
}

export type BreakerState = 'closed' | 'open' | 'half_open';

const OPENS_AFTER = 3;
const LONGEST_MS = 12 * HOUR;
const PASSING: readonly RateFailure[] = ['unavailable', 'rate_limited'];
/** Runs are an hour apart and begin a little early or late: the last minute must not cost an hour. */
const SLACK_MS = MINUTE;

export function breakerState(
  { failures, open_until, last_failure_at }: BreakerMemory,
  now: Date,
  keySetAt: Date | null,
): BreakerState {
  if (failures < OPENS_AFTER || open_until === null) return 'closed';
  if (hasNewKey(last_failure_at, keySetAt)) return 'closed';
  return now < open_until ? 'open' : 'half_open';
}

/** Whether the key was set since then: since a failure, or whatever else was said to another one. */
export function hasNewKey(since: Date | null, keySetAt: Date | null): boolean {
  return keySetAt !== null && since !== null && keySetAt > since;
}

/** What is remembered after one more failure at `now`, the moment that the asking began. */
export function afterFailure(
  failures: number,
  now: Date,
  failure: RateFailure,
): Pick<BreakerMemory, 'failures' | 'open_until'> {
  const counted = failures + 1;
  if (counted < OPENS_AFTER) return { failures: counted, open_until: null };
  const longestMs = PASSING.includes(failure) ? HOUR : LONGEST_MS;
  const pauseMs = Math.min(HOUR * 2 ** Math.min(counted - OPENS_AFTER, 10), longestMs);
  return { failures: counted, open_until: new Date(now.getTime() + pauseMs - SLACK_MS) };
}
