/** The settings that decide a pair's state. */
import type { Deps } from '#platform/deps.ts';
import { read, settingsName } from '#features/content/settings/settings.ts';
import type { RatePolicy } from './state.ts';

/** Cached answers with pairs' states are rebuilt when one of these changes. */
export const POLICY_NAMES = [settingsName('rate-api'), settingsName('general')];

export async function readPolicy(deps: Pick<Deps, 'db' | 'published'>): Promise<RatePolicy> {
  const rates = await read(deps, 'rate-api');
  const { time_zone } = await read(deps, 'general');
  return {
    delayedMinutes: rates.delayed_minutes,
    staleMinutes: rates.stale_minutes,
    delayedLockMinutes: rates.delayed_lock_minutes,
    timeZone: time_zone,
  };
}

/** The largest move of a customer's rate, in percent, without a confirmation. */
export async function readJumpPercent(deps: Pick<Deps, 'db' | 'published'>): Promise<string> {
  return (await read(deps, 'rate-api')).jump_percent;
}
