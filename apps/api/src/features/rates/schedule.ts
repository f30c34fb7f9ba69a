/**
 * Pure: when a provider may be asked again. The settings say how often, which spares plans with few
 * requests; the provider may ask for a pause or say when it has something new; and one that failed
 * three times in a row is left alone, for an hour at first and for twelve at last. A key that was
 * set since the last fetch starts anew: what failed was the old one.
 */
import type { RateQuota } from '@cambist/contract/rates';
import {
  cadenceFor,
  requestsAMonth,
  type Cadence,
  type RateApi,
  type RateFailure,
} from '@cambist/contract/rate-settings';
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
  next_update_at: null,
  units: [],
  retry_at: null,
  month: '',
  requests: 0,
};

const OPENS_AFTER = 3;
const LONGEST_OPEN_MS = 12 * HOUR;
/** What ends by itself is never waited for longer than an hour. */
const PASSING: readonly RateFailure[] = ['unavailable', 'rate_limited'];
/** One that asks for a longer pause is asked again all the same: its mistake must not silence it for good. */
const LONGEST_PAUSE_MS = DAY;
/** Runs begin a little early or late: the last minute must not cost an hour. */
const SLACK_MS = MINUTE;

/** `keySetAt`: when the present key was set; null without one. */
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

/** Whether the key was set since: false without a key, and where there was nothing before. */
export function isSince(keySetAt: Date | null, time: Date | null): boolean {
  return keySetAt !== null && time !== null && keySetAt > time;
}

/** Until when the provider asked for a pause; null where it did not, or a new key was set since. */
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
  /** All that the desk wants of every provider. */
  readonly units: readonly string[];
  readonly cadence: Cadence;
  /** Requests that the plan allows in a month; null: no limit is known. */
  readonly plan: number | null;
}

/** Until when the provider has nothing new by its own words; null where it may have. */
export function nothingNewUntil(state: ProviderState, turn: Turn): Date | null {
  const { next_update_at: until } = state;
  if (until === null || turn.now >= until || hasFailed(state)) return null;
  return isDueAnew(state, turn) ? null : until;
}

/**
 * When the schedule asks the provider by its turns; null where it is its turn now. After a failure it
 * need not wait while the plan has requests to spare beside those of the rest of the month.
 */
export function nextTurn(state: ProviderState, turn: Turn): Date | null {
  const { now, cadence, plan } = turn;
  if (state.fetched_at === null || cadence === 1 || isDueAnew(state, turn)) return null;
  const atMs = state.fetched_at.getTime() + cadence * HOUR - SLACK_MS;
  if (now.getTime() >= atMs) return null;
  const canSpare = plan === null || usedIn(state, now) + turnsLeft(cadence, now) < plan;
  return hasFailed(state) && canSpare ? null : firstRun(atMs);
}

/** Something is new since it was asked: a unit, or its key. */
function isDueAnew({ units, fetched_at }: ProviderState, turn: Turn): boolean {
  return turn.units.some((unit) => !units.includes(unit)) || isSince(turn.keySetAt, fetched_at);
}

/** Whether the last run that asked it had no answer. */
export function hasFailed({ fetched_at, last_success_at }: ProviderState): boolean {
  return fetched_at !== null && (last_success_at === null || last_success_at < fetched_at);
}

/** How many turns the rest of the month has at most. */
function turnsLeft(cadence: Cadence, now: Date): number {
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  const leftMs = end - now.getTime();
  return (leftMs - (leftMs % (cadence * HOUR))) / (cadence * HOUR) + 1;
}

/** The schedule's first run at or after that time, in milliseconds: it has one at every full hour. */
function firstRun(fromMs: number): Date {
  const pastMs = fromMs % HOUR;
  return new Date(pastMs === 0 ? fromMs : fromMs - pastMs + HOUR);
}

/** `2026-11`, in UTC: plans are counted by months, and no provider says in which time zone. */
export function monthOf(time: Date): string {
  return time.toISOString().slice(0, 7);
}

/** Requests of this month. */
export function usedIn({ month, requests }: ProviderState, now: Date): number {
  return month === monthOf(now) ? requests : 0;
}

/** Whether a provider's plan lasts for a month of its turns; `used`: requests of this month. */
export function quotaOf(
  { monthly_quota: plan, cadence_hours }: RateApi['providers'][number],
  used: number,
): RateQuota {
  const needed = requestsAMonth(cadence_hours);
  return {
    plan,
    cadence_hours,
    needed,
    used,
    enough: plan === null || plan >= needed,
    fitting_hours: plan === null ? null : cadenceFor(plan),
  };
}

const WEEKDAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
/** RFC 9110, 5.6.7, the form that is written today; the two obsolete ones are ignored. */
const HTTP_DATE = new RegExp(
  String.raw`^${WEEKDAY}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$`,
);

/**
 * `Retry-After` (RFC 9110, 10.2.3), seconds or a date, as a moment at most a day from `now`. Null for
 * one that has passed, and for what is neither.
 */
export function retryAtOf(header: string | undefined, now: Date): Date | null {
  const text = header?.trim() ?? '';
  const atMs = /^\d{1,12}$/.test(text)
    ? now.getTime() + Number.parseInt(text, 10) * SECOND
    : HTTP_DATE.test(text)
      ? Date.parse(text)
      : Number.NaN;
  if (!(atMs > now.getTime())) return null;
  return new Date(Math.min(atMs, now.getTime() + LONGEST_PAUSE_MS));
}
