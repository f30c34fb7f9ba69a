/**
 * How often failures of guests are written to the log, which is kept for good:
 * anybody can fail as often as they like. Beyond the limit they are counted, and
 * the count stands in the next row of their network. In each process for itself.
 */
import { MINUTE } from '#kernel/clock.ts';

/** By the action of the row. */
export const guestFailures: ReadonlySet<string> = new Set([
  'auth.signin_failed',
  'auth.second_factor_failed',
]);

/** Rows that one network may fill in one minute with one action. */
const MOST = 10;
/** Enough for an attack from many networks; beyond, the oldest are forgotten. */
const MAX_NETWORKS = 10_000;

export interface FailureCount {
  /** Null when this one is only counted; else how many were since the last row. */
  take(key: string, now: number): number | null;
}

export function openFailureCount(): FailureCount {
  const known = new Map<string, { rows: number; left: number; endsAt: number }>();
  return {
    take(key, now) {
      const before = known.get(key);
      const left = before?.left ?? 0;
      const rows = before !== undefined && before.endsAt > now ? before.rows : 0;
      const endsAt = rows > 0 && before ? before.endsAt : now + MINUTE;
      const isFull = rows >= MOST;
      known.delete(key);
      known.set(key, { rows: isFull ? rows : rows + 1, left: isFull ? left + 1 : 0, endsAt });
      if (known.size > MAX_NETWORKS) known.delete(known.keys().next().value ?? '');
      return isFull ? null : left;
    },
  };
}
