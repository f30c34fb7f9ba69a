/**
 * Thins the rate history every night: everything for two days, then the last rate of each hour for a
 * month, then of each day. Each step reads a bounded span, long enough for a service that was down.
 */
import { DAY, HOUR } from '#kernel/clock.ts';
import type { Deps } from '#platform/deps.ts';
import { thinRates } from './store.ts';

const STEPS = [
  { step: 'hour', lengthMs: HOUR, fromMs: 32 * DAY, untilMs: 2 * DAY },
  { step: 'day', lengthMs: DAY, fromMs: 100 * DAY, untilMs: 30 * DAY },
] as const;

/** Returns the outcome for the task's record. */
export async function thinHistory({ db, clock }: Pick<Deps, 'clock' | 'db'>): Promise<string> {
  const now = clock().getTime();
  let count = 0n;
  for (const { step, lengthMs, fromMs, untilMs } of STEPS) {
    const startOf = (time: number) => new Date(time - (time % lengthMs));
    const span = { from: startOf(now - fromMs), until: startOf(now - untilMs) };
    count += await thinRates(db, { ...span, step });
  }
  return `${count} thinned`;
}
