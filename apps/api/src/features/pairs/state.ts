/**
 * Pure: whether a pair can be quoted now, and why not. A rate from the market is
 * as good as the last run that brought it, and as its provider's own time; one
 * that was set by hand is good until the end that it was given.
 */
import type { RateState } from '@cambist/contract/pair-terms';
import { compare, formatDecimal, parseDecimal, shortest } from '@cambist/money/decimal';
import { MINUTE } from '#kernel/clock.ts';
import { isOpenAt, nextOpening } from './hours.ts';
import { sendLimits, terms } from './price.ts';
import type { PairRow } from './store.ts';

/** By the desk's settings. */
export interface RatePolicy {
  readonly delayedMinutes: number;
  readonly staleMinutes: number;
  /** For how long a quote is locked at most, while its rate is delayed. */
  readonly delayedLockMinutes: number;
  /** An IANA name, for working hours. */
  readonly timeZone: string;
}

export interface Standing {
  readonly state: RateState;
  /** A sentence for the desk; null where the pair is live. */
  readonly reason: string | null;
  /** A rate that it is made of jumped, and waits for an admin's yes or no: it is stale until then. */
  readonly checking: boolean;
  /** The moment after which the rate is stale; null: it never is. */
  readonly staleAt: Date | null;
  /** When it opens next; null while it is open. */
  readonly opensAt: Date | null;
  /** For how long a quote is locked now. */
  readonly lockMinutes: number;
}

/** Rates that cannot grow old carry the last day of the calendar. */
const NEVER = Date.parse('9999-01-01T00:00:00Z');

export function standingOf(pair: PairRow, policy: RatePolicy, now: Date): Standing {
  const staleAt = staleAtOf(pair, policy);
  const opensAt = nextOpening(pair.hours, policy.timeZone, now);
  const standing = { staleAt, opensAt, lockMinutes: pair.lock_minutes, checking: false };
  const why = pauseReason(pair);
  if (why !== null) return { ...standing, state: 'paused', reason: why };
  if (!isOpenAt(pair.hours, policy.timeZone, now)) {
    return { ...standing, state: 'closed', reason: 'It is outside its working hours.' };
  }
  const stale = staleReason(pair, policy, now);
  if (stale !== null)
    return { ...standing, state: 'stale', reason: stale, checking: pair.mid_awaits.length > 0 };
  const heard = pair.mid_confirmed_at;
  if (heard !== null && now.getTime() - heard.getTime() > policy.delayedMinutes * MINUTE) {
    return {
      ...standing,
      state: 'delayed',
      reason: `No run has brought its rate since ${utc(heard)}.`,
      lockMinutes: Math.min(pair.lock_minutes, policy.delayedLockMinutes),
    };
  }
  return { ...standing, state: 'live', reason: null };
}

/** Switched on, and both its currencies, with somewhere to pay to. Locked quotes ask for no more. */
export function isSwitchedOn(pair: PairRow): boolean {
  return switchReason(pair) === null;
}

/** What can never grow old has no such time. */
export function endOrNull(time: Date | null): Date | null {
  return time === null || time.getTime() >= NEVER ? null : time;
}

function staleAtOf(pair: PairRow, { staleMinutes }: RatePolicy): Date | null {
  const heard = endOrNull(pair.mid_confirmed_at);
  const ends = [
    endOrNull(pair.mid_until),
    endOrNull(pair.mid_fresh_until),
    heard && new Date(heard.getTime() + staleMinutes * MINUTE),
  ].filter((end) => end !== null);
  return ends.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
}

function awaitsReason({ mid_awaits }: PairRow): string {
  const units = mid_awaits.join(' and ');
  const jumps = mid_awaits.length === 1 ? `A jump of ${units} waits` : `Jumps of ${units} wait`;
  return `${jumps} for a yes or no in the quarantine of rates.`;
}

/** Why the mid rate may not be used now, as a sentence for the desk; null where it may. */
export function staleReason(pair: PairRow, policy: RatePolicy, now: Date): string | null {
  if (pair.mid_awaits.length > 0) return awaitsReason(pair);
  const staleAt = staleAtOf(pair, policy);
  return staleAt !== null && now > staleAt ? agedReason(pair, now) : null;
}

function agedReason(pair: PairRow, now: Date): string {
  const { mid_until, mid_fresh_until, mid_as_of, mid_confirmed_at } = pair;
  if (mid_until !== null && now > mid_until)
    return `The rate that was set by hand ended at ${utc(mid_until)}.`;
  if (mid_fresh_until !== null && now > mid_fresh_until && mid_as_of !== null)
    return `The provider's own time of the rate, ${utc(mid_as_of)}, is too long ago.`;
  const since = mid_confirmed_at === null ? '' : ` since ${utc(mid_confirmed_at)}`;
  return `No run has brought its rate${since}.`;
}

function switchReason({ active, send, receive }: PairRow): string | null {
  if (!active) return 'It is switched off.';
  const off = [send, receive].find((side) => !side.active);
  if (off) return `${off.name} is switched off.`;
  return send.payable ? null : `${send.name} has no account that customers could pay to.`;
}

function pauseReason(pair: PairRow): string | null {
  return switchReason(pair) ?? rateReason(pair);
}

function rateReason(pair: PairRow): string | null {
  const { rate_mode, send, receive, rate_min, rate_max } = pair;
  const priced = terms(pair);
  if (priced === null) {
    if (rate_mode === 'manual') return 'It has no rate: set one.';
    if (rate_mode === 'formula') return 'Its formula has not come to a rate yet.';
    return `The market has no rate from ${send.unit} to ${receive.unit}.`;
  }
  for (const rate of [priced.rate, ...priced.tiers.map((tier) => tier.rate)]) {
    const text = `The customer's rate of ${formatDecimal(rate)} lies`;
    if (rate_min !== null && compare(rate, parseDecimal(rate_min)) < 0)
      return `${text} below the lowest allowed, ${shortest(rate_min)}.`;
    if (rate_max !== null && compare(rate, parseDecimal(rate_max)) > 0)
      return `${text} above the highest allowed, ${shortest(rate_max)}.`;
  }
  if (sendLimits(pair) !== null) return null;
  return 'At its rate no amount keeps the limits of the pair and of both currencies.';
}

/** `2026-11-21 08:00 UTC`: for admins, wherever they are. */
function utc(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
