/**
 * Pure: what is remembered of a provider where a run and tests of its key were under way at once.
 * Each knows it as it was when it began; what another has noted since is not lost.
 */
import type { RateFailure } from '@cambist/contract/rate-settings';
import { afterFailure } from './breaker.ts';
import { healed } from './provider-state.ts';
import type { ProviderState } from './store.ts';

/** `before`: as its asking knew it; `after`: what that makes of it; `now`: as it stands at its end. */
export function remembered<State extends ProviderState>(
  before: ProviderState,
  after: State,
  now: ProviderState,
): State {
  const changed = Object.entries(after).filter(
    ([field, value]) => !isSame(value, before[field as keyof ProviderState]),
  );
  const last = isLater(now.answer_at, after.answer_at) ? now : after;
  const { answer_at, answer_to, answer_failure, unusable } = last;
  return {
    ...after,
    ...now,
    ...Object.fromEntries(changed),
    answer_at,
    answer_to,
    answer_failure,
    unusable,
    ...(answer_failure === null && { last_failure: null, refused_at: null }),
    ...(answer_failure === 'invalid_key' && { refused_at: last.refused_at }),
    ...(last === after && answer_to === 'run' && failureOf(before, after, now)),
    ...(last === now && isWell(after) && failureAfter(before, now)),
    ...(isWell(last) && healed),
    retry_at: pauseOf(before, after, now),
    ...counted(before, after, now),
  };
}

/** Of a run that failed after a test had healed what was counted before. */
function failureOf(before: ProviderState, after: ProviderState, now: ProviderState) {
  const { answer_at, answer_failure, last_failure } = after;
  if (answer_failure === null || answer_at === null) return {};
  const isHealed = !isSame(now.failures, before.failures);
  return {
    last_failure,
    ...(isHealed &&
      hasCounted(before, after) &&
      afterFailure(now.failures, answer_at, answer_failure as RateFailure)),
  };
}

/** Of a run that failed after this good answer was asked for, and ended before it came. */
function failureAfter(before: ProviderState, now: ProviderState) {
  const { answer_at, answer_to, answer_failure, last_failure } = now;
  if (answer_failure === null || answer_at === null || answer_to !== 'run') return {};
  return {
    last_failure,
    ...(hasCounted(before, now)
      ? afterFailure(0, answer_at, answer_failure as RateFailure)
      : healed),
  };
}

/** Whether the run that failed was the schedule's: those alone count, and move its turn. */
function hasCounted(before: ProviderState, failed: ProviderState): boolean {
  return !isSame(failed.asked_at, before.asked_at);
}

/** A pause that was asked for meanwhile stands until its end, whatever another answer says. */
function pauseOf(before: ProviderState, after: ProviderState, now: ProviderState): Date | null {
  if (isSame(now.retry_at, before.retry_at)) return after.retry_at;
  return isLater(now.retry_at, after.retry_at) ? now.retry_at : after.retry_at;
}

/** The requests of both; of two months those of the later one. */
function counted(before: ProviderState, after: ProviderState, now: ProviderState) {
  const { month } = after;
  if (now.month > month) return { month: now.month, requests: now.requests };
  const usedIn = (state: ProviderState) => (state.month === month ? state.requests : 0);
  return { month, requests: usedIn(now) + after.requests - usedIn(before) };
}

/** Nothing counts against it: a run of the same answer has said so itself. */
function isWell({ answer_to, answer_failure, unusable }: ProviderState): boolean {
  return answer_failure === null && (answer_to === 'run' || unusable === null);
}

function isLater(one: Date | null, other: Date | null): boolean {
  return one !== null && (other === null || one > other);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
