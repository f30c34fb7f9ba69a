/**
 * Pure: which rates are older than the synchronisation lets them become when it
 * works. One that waits for its provider's turn is not overdue, however the
 * settings call its age: nothing is wrong, and nobody needs to be told.
 */
import type { RateApi } from '@cambist/contract/rate-settings';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { BelievedRate } from '#features/market/market.ts';

export interface Overdue {
  readonly unit: string;
  readonly state: 'delayed' | 'stale';
  readonly provider: string;
  readonly confirmedAt: Date;
}

/** A run takes its time, and may come a little late. */
const GRACE_MS = 30 * MINUTE;

/** Of the units that pairs need. */
export function overdueOf(
  rates: readonly BelievedRate[],
  needed: readonly string[],
  settings: RateApi,
  now: Date,
): Overdue[] {
  if (!settings.enabled) return [];
  return rates.flatMap((rate) => {
    const { unit, provider, confirmedAt } = rate;
    const listed = settings.providers.find(({ name }) => name === provider);
    const turnMs = (listed?.cadence_hours ?? 1) * HOUR;
    if (!needed.includes(unit) || now.getTime() - confirmedAt.getTime() <= turnMs + GRACE_MS)
      return [];
    const state = ageState(rate, settings, now);
    return state === 'live' ? [] : [{ unit, state, provider, confirmedAt }];
  });
}

/** By the minutes since a run last heard it, and by the provider's own time. */
export function ageState(
  { confirmedAt, freshUntil }: Pick<BelievedRate, 'confirmedAt' | 'freshUntil'>,
  { delayed_minutes, stale_minutes }: Pick<RateApi, 'delayed_minutes' | 'stale_minutes'>,
  now: Date,
): 'live' | 'delayed' | 'stale' {
  const ageMs = now.getTime() - confirmedAt.getTime();
  if (ageMs > stale_minutes * MINUTE || now > freshUntil) return 'stale';
  return ageMs > delayed_minutes * MINUTE ? 'delayed' : 'live';
}
