/** Pure: what the remembered state of a provider says. */
import type { AttemptJson } from '#platform/json-columns.ts';
import { hasNewKey } from './breaker.ts';
import type { ProviderState } from './store.ts';

export const blankState = {
  failures: 0,
  open_until: null,
  last_success_at: null,
  answer_at: null,
  answer_to: null,
  answer_failure: null,
  unusable: null,
  refused_at: null,
  last_failure_at: null,
  last_failure: null,
  next_update_at: null,
  asked_at: null,
  requested_at: null,
  retry_at: null,
  units: [],
  month: '',
  requests: 0,
};

/** Nothing counts against it. */
export const healed = { failures: 0, open_until: null };

/** `2026-11`, in UTC: plans are counted by months, and no provider says in whose. */
export function monthOf(time: Date): string {
  return time.toISOString().slice(0, 7);
}

/** Requests of this month. */
export function usedIn({ month, requests }: ProviderState, now: Date): number {
  return month === monthOf(now) ? requests : 0;
}

/** The month's count with `requests` more. */
export function counting(state: ProviderState, now: Date, requests: number) {
  return { month: monthOf(now), requests: usedIn(state, now) + requests };
}

/** Whether a run had nothing of it, neither an answer nor what stands of an earlier one. */
export function isSilent({ outcome }: Pick<AttemptJson, 'outcome'>): boolean {
  return outcome !== 'ok' && outcome !== 'not_due' && outcome !== 'cadence';
}

/** Whether a run's last request had no answer, by the schedule or by hand. */
export function failedLast({ last_failure_at, last_success_at }: ProviderState): boolean {
  return (
    last_failure_at !== null && (last_success_at === null || last_failure_at > last_success_at)
  );
}

/** Whether no run has asked it with the key that is set now. */
export function isKeyUnused({ requested_at }: ProviderState, keySetAt: Date | null): boolean {
  return hasNewKey(requested_at, keySetAt);
}

/** Whether its last answer, to a run or a test, was none, and no new key came since. */
export function isFailing(
  { answer_at, answer_failure }: ProviderState,
  keySetAt: Date | null,
): boolean {
  return answer_failure !== null && !hasNewKey(answer_at, keySetAt);
}

/** Until when it asked to be left alone; null where it did not, or a new key was set since. */
export function pauseOf(state: ProviderState, now: Date, keySetAt: Date | null): Date | null {
  const { retry_at, answer_at } = state;
  if (retry_at === null || now >= retry_at || hasNewKey(answer_at, keySetAt)) return null;
  return retry_at;
}
