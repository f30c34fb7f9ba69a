/** From the desk's settings: when a rate is too old, and in which time zone the desk works. */
import type { Deps } from '#platform/deps.ts';
import { read, settingsName } from '#features/content/settings/settings.ts';
import type { RatePolicy } from './state.ts';

/** The names whose changes change it: whatever is kept of pairs and their states follows them too. */
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

/** By how many percent a customer's rate may move without anybody being asked. */
export async function readJumpPercent(deps: Pick<Deps, 'db' | 'published'>): Promise<string> {
  return (await read(deps, 'rate-api')).jump_percent;
}
