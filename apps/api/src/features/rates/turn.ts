/**
 * Pure: when a provider may be asked again. The settings say how often, which
 * spares plans with few requests; the provider itself may ask for a pause.
 */
import type { Cadence } from '@cambist/contract/rate-settings';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel/clock.ts';

/** One that asks for longer is asked again all the same: a mistake there must not silence it for good. */
const LONGEST_PAUSE_MS = DAY;
/** Runs begin a little early or late: the last minute must not cost a turn. */
const SLACK_MS = MINUTE;

const WEEKDAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const CLOCK = String.raw`\d{2}:\d{2}:\d{2}`;
/** RFC 9110, 5.6.7: the one that is written today, and the two that must still be read. */
const DATES = [
  new RegExp(String.raw`^${WEEKDAY}, \d{2} [A-Z][a-z]{2} \d{4} ${CLOCK} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} ${CLOCK} GMT$`),
  new RegExp(String.raw`^${WEEKDAY} [A-Z][a-z]{2} [ \d]\d ${CLOCK} \d{4}$`),
];

/**
 * `Retry-After` (RFC 9110, 10.2.3), seconds or a date, as a moment: at most a day from `now`.
 * Null for one that has passed, and for what is neither.
 */
export function retryAtOf(header: string | undefined, now: Date): Date | null {
  if (header === undefined) return null;
  const text = header.trim();
  const at = /^\d{1,12}$/.test(text)
    ? now.getTime() + Number.parseInt(text, 10) * SECOND
    : dateOf(text);
  if (at === null || at <= now.getTime()) return null;
  return new Date(Math.min(at, now.getTime() + LONGEST_PAUSE_MS));
}

function dateOf(text: string): number | null {
  if (!DATES.some((date) => date.test(text))) return null;
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : at;
}

export interface TurnMemory {
  /** When a run last began to ask it. */
  readonly asked_at: Date | null;
  /** Whether the last request failed. */
  readonly hasFailed: boolean;
  /** Of this month. */
  readonly used: number;
}

export interface TurnRule {
  readonly cadence: Cadence;
  /** Requests that the plan allows in a month; null: no limit is known. */
  readonly plan: number | null;
}

/**
 * When a run of the schedule asks this provider again; null where its turn is now. After a failure it need not wait
 * for its turn while the plan has requests to spare beside those of the rest of the month.
 */
export function nextTurn(
  { asked_at, hasFailed, used }: TurnMemory,
  { cadence, plan }: TurnRule,
  now: Date,
): Date | null {
  if (asked_at === null || cadence === 1) return null;
  const at = asked_at.getTime() + cadence * HOUR;
  if (now.getTime() >= at - SLACK_MS) return null;
  const spare = plan === null || used + turnsLeft(cadence, now) < plan;
  return hasFailed && spare ? null : firstRun(at - SLACK_MS);
}

/** The schedule's first at or after that time, in milliseconds: it has one at every full hour. */
function firstRun(fromMs: number): Date {
  const pastMs = fromMs % HOUR;
  return new Date(pastMs === 0 ? fromMs : fromMs - pastMs + HOUR);
}

/** How many turns the rest of the month has at most. */
function turnsLeft(cadence: Cadence, now: Date): number {
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  const leftMs = end - now.getTime();
  return (leftMs - (leftMs % (cadence * HOUR))) / (cadence * HOUR) + 1;
}
