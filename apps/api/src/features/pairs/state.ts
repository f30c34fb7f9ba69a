/**
 * Pure: whether a pair can be quoted now, and why not. A market rate goes stale by the time of the
 * last run that confirmed it and by its provider's own time; a manual rate at the end it was given.
 */
import type { RateState } from '@cambist/contract/pair-terms';
import { compare, formatDecimal, parseDecimal, shortest } from '@cambist/money/decimal';
import { MINUTE } from '#kernel/clock.ts';
import { Refusal } from '#kernel/refusal.ts';
import { spokenTime } from '#kernel/spoken-time.ts';
import { isOpenAt, nextOpening } from './hours.ts';
import { sendLimits } from './limits.ts';
import type { PairRow } from './store.ts';
import { terms } from './terms.ts';

export interface RatePolicy {
  readonly delayedMinutes: number;
  readonly staleMinutes: number;
  /** The longest lock of a quote while its rate is delayed. */
  readonly delayedLockMinutes: number;
  /** An IANA name, for working hours. */
  readonly timeZone: string;
}

export interface PairStatus {
  readonly state: RateState;
  /** A sentence for admins; null where the pair is live. */
  readonly reason: string | null;
  /** One of its rates is in quarantine: it is stale until an admin decides. */
  readonly checking: boolean;
  /** Null: never. */
  readonly staleAt: Date | null;
  /** The next opening; null while it is open. */
  readonly opensAt: Date | null;
  readonly lockMinutes: number;
}

/** The market gives rates that never expire this end or a later one. */
const NEVER = Date.parse('9999-01-01T00:00:00Z');

export function statusOf(pair: PairRow, policy: RatePolicy, now: Date): PairStatus {
  const staleAt = staleAtOf(pair, policy);
  const opensAt = nextOpening(pair.hours, policy.timeZone, now);
  const status = { staleAt, opensAt, lockMinutes: pair.lock_minutes, checking: false };
  const paused = switchReason(pair) ?? rateReason(pair);
  if (paused !== null) return { ...status, state: 'paused', reason: paused };
  if (!isOpenAt(pair.hours, policy.timeZone, now)) {
    return { ...status, state: 'closed', reason: 'It is outside its working hours.' };
  }
  const stale = staleReason(pair, policy, now);
  if (stale !== null)
    return { ...status, state: 'stale', reason: stale, checking: pair.mid_awaits.length > 0 };
  const confirmedAt = pair.mid_confirmed_at;
  if (
    confirmedAt !== null &&
    now.getTime() - confirmedAt.getTime() > policy.delayedMinutes * MINUTE
  ) {
    return {
      ...status,
      state: 'delayed',
      reason: `No run has brought its rate since ${utc(confirmedAt)}.`,
      lockMinutes: Math.min(pair.lock_minutes, policy.delayedLockMinutes),
    };
  }
  return { ...status, state: 'live', reason: null };
}

/**
 * The pair and both currencies are active and there is an account to pay to: all that a locked
 * quote still requires.
 * @throws Refusal 409 `pair_unavailable`
 */
export function requireSwitchedOn(pair: PairRow): void {
  if (switchReason(pair) !== null) throw pairUnavailable();
}

/** Why a customer gets no quote: 409 `pair_unavailable` or 503 `rates_stale`; null where they do. */
export function quoteRefusal(
  { mid_as_of }: Pick<PairRow, 'mid_as_of'>,
  { state, checking, opensAt }: PairStatus,
  timeZone: string,
): Refusal | null {
  switch (state) {
    case 'live':
    case 'delayed':
      return null;
    case 'stale': {
      if (checking)
        return new Refusal(
          503,
          'rates_stale',
          'The rate of this direction has moved so far that we are checking it. Please try again later.',
        );
      const last = mid_as_of ? ` The last one is from ${spokenTime(mid_as_of, timeZone)}.` : '';
      return new Refusal(
        503,
        'rates_stale',
        `There is no recent rate for this direction.${last} Please try again later.`,
      );
    }
    case 'closed': {
      const opens = opensAt ? ` It opens on ${spokenTime(opensAt, timeZone)}.` : '';
      return new Refusal(409, 'pair_unavailable', `This direction is closed now.${opens}`);
    }
    case 'paused':
      return pairUnavailable();
  }
}

export function pairUnavailable(): Refusal {
  return new Refusal(409, 'pair_unavailable', 'This direction is not available at the moment.');
}

/** Null for a time that stands for never. */
export function endOrNull(time: Date | null): Date | null {
  return time === null || time.getTime() >= NEVER ? null : time;
}

function staleAtOf(pair: PairRow, { staleMinutes }: RatePolicy): Date | null {
  const confirmedAt = endOrNull(pair.mid_confirmed_at);
  const ends = [
    endOrNull(pair.mid_until),
    endOrNull(pair.mid_fresh_until),
    confirmedAt && new Date(confirmedAt.getTime() + staleMinutes * MINUTE),
  ].filter((end) => end !== null);
  return ends.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
}

function awaitsReason({ mid_awaits }: PairRow): string {
  const units = mid_awaits.join(' and ');
  const jumps = mid_awaits.length === 1 ? `A jump of ${units} waits` : `Jumps of ${units} wait`;
  return `${jumps} for a decision in the quarantine of rates.`;
}

/** Why the mid rate is stale, as a sentence for admins; null where it is not. */
export function staleReason(pair: PairRow, policy: RatePolicy, now: Date): string | null {
  if (pair.mid_awaits.length > 0) return awaitsReason(pair);
  const staleAt = staleAtOf(pair, policy);
  return staleAt !== null && now > staleAt ? expiredReason(pair, now) : null;
}

function expiredReason(pair: PairRow, now: Date): string {
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

function rateReason(pair: PairRow): string | null {
  const { rate_mode, send, receive, rate_min, rate_max } = pair;
  const priced = terms(pair);
  if (priced === null) {
    if (rate_mode === 'manual') return 'It has no rate: set one.';
    if (rate_mode === 'formula') return 'Its formula has no rate yet.';
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
