/**
 * Pure: when a provider may be asked again: by the cadence of the settings, its own pause, and a
 * circuit breaker that opens after three failures for one to twelve hours. A new key resets pause and
 * breaker.
 */
import type { Cadence, RateFailure } from '@cambist/contract/rate-settings';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import type { ProviderState } from './store.ts';

export const BLANK_STATE: Omit<ProviderState, 'provider'> = {
  failures: 0,
  open_until: null,
  fetched_at: null,
  last_success_at: null,
  last_fetch_at: null,
  last_fetch_by: null,
  last_outcome: null,
  last_message: '',
  key_refused_at: null,
  units: [],
  retry_at: null,
  month: '',
  requests: 0,
};

const OPENS_AFTER = 3;
const LONGEST_OPEN_MS = 12 * HOUR;
/** Failures that end by themselves open the breaker for an hour at most. */
const PASSING: readonly RateFailure[] = ['unavailable', 'rate_limited'];
/** Bounds the pause that a provider asks for. */
const LONGEST_PAUSE_MS = DAY;
/** Runs may be a minute early or late, which must not skip an hour. */
const SLACK_MS = MINUTE;

/** `keySetAt`: null without a key. */
export function breakerState(
  { failures, open_until, last_fetch_at }: ProviderState,
  now: Date,
  keySetAt: Date | null,
): 'closed' | 'open' | 'half_open' {
  if (failures < OPENS_AFTER || open_until === null) return 'closed';
  if (isSince(keySetAt, last_fetch_at)) return 'closed';
  return now < open_until ? 'open' : 'half_open';
}

/** After one more failure in a row. */
export function afterFailure(
  failures: number,
  now: Date,
  failure: RateFailure,
): Pick<ProviderState, 'failures' | 'open_until'> {
  const counted = failures + 1;
  if (counted < OPENS_AFTER) return { failures: counted, open_until: null };
  const longestMs = PASSING.includes(failure) ? HOUR : LONGEST_OPEN_MS;
  const pauseMs = Math.min(HOUR * 2 ** Math.min(counted - OPENS_AFTER, 10), longestMs);
  return { failures: counted, open_until: new Date(now.getTime() + pauseMs - SLACK_MS) };
}

/** Whether the key was set after `time`; false without either. */
export function isSince(keySetAt: Date | null, time: Date | null): boolean {
  return keySetAt !== null && time !== null && keySetAt > time;
}

/** The end of the pause that the provider asked for; null without one, or with a newer key. */
export function pauseUntil(
  { retry_at, last_fetch_at }: ProviderState,
  now: Date,
  keySetAt: Date | null,
): Date | null {
  return retry_at !== null && now < retry_at && !isSince(keySetAt, last_fetch_at) ? retry_at : null;
}

export interface Turn {
  readonly now: Date;
  readonly keySetAt: Date | null;
  readonly units: readonly string[];
  readonly cadence: Cadence;
}

/** The provider's next turn by its cadence; null where it is due, as after a failure. */
export function nextTurn(state: ProviderState, turn: Turn): Date | null {
  const { now, cadence } = turn;
  if (state.fetched_at === null || cadence === 1) return null;
  if (isDueAnew(state, turn) || hasFailed(state)) return null;
  const atMs = state.fetched_at.getTime() + cadence * HOUR - SLACK_MS;
  return now.getTime() >= atMs ? null : firstRun(atMs);
}

/** A unit or the key is new since the last fetch. */
function isDueAnew({ units, fetched_at }: ProviderState, turn: Turn): boolean {
  return turn.units.some((unit) => !units.includes(unit)) || isSince(turn.keySetAt, fetched_at);
}

/** Whether the last fetch of a run failed. */
export function hasFailed({ fetched_at, last_success_at }: ProviderState): boolean {
  return fetched_at !== null && (last_success_at === null || last_success_at < fetched_at);
}

/** The first hourly run at or after that time. */
function firstRun(fromMs: number): Date {
  const pastMs = fromMs % HOUR;
  return new Date(pastMs === 0 ? fromMs : fromMs - pastMs + HOUR);
}

/** `2026-11`, in UTC. */
export function monthOf(time: Date): string {
  return time.toISOString().slice(0, 7);
}

/** Requests of this month. */
export function usedIn({ month, requests }: ProviderState, now: Date): number {
  return month === monthOf(now) ? requests : 0;
}

/** `Retry-After` (RFC 9110, 10.2.3), at most a day from `now`. Null for an invalid or past time. */
export function retryAtOf(header: string | undefined, now: Date): Date | null {
  const text = header?.trim() ?? '';
  const atMs = /^\d{1,12}$/.test(text)
    ? now.getTime() + Number.parseInt(text, 10) * SECOND
    : Date.parse(text);
  if (!(atMs > now.getTime())) return null;
  return new Date(Math.min(atMs, now.getTime() + LONGEST_PAUSE_MS));
}
