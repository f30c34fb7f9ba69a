/** Counts by key that end after a time, in memory. */
import type { Clock } from '#kernel/clock.ts';

/** Enough for an attack from many networks. */
const MOST_KEYS = 20_000;

export interface Counters {
  /** 0 for a key that was not counted, or whose time is over. */
  read(key: string): number;
  /** Milliseconds until the key's count ends. */
  msLeft(key: string): number;
  /** Counts one more; the first one sets when the count ends. */
  add(key: string, windowMs: number): void;
  delete(key: string): void;
  deleteAll(prefix: string): void;
}

/** Beyond `mostKeys` the key that was counted longest ago is forgotten. */
export function openCounters(clock: Clock, mostKeys = MOST_KEYS): Counters {
  const counters = new Map<string, { count: number; endsAt: number }>();

  function find(key: string) {
    const counter = counters.get(key);
    if (!counter || counter.endsAt > clock().getTime()) return counter;
    counters.delete(key);
    return undefined;
  }

  return {
    read: (key) => find(key)?.count ?? 0,
    msLeft: (key) => Math.max(0, (find(key)?.endsAt ?? 0) - clock().getTime()),
    add(key, windowMs) {
      const counter = find(key) ?? { count: 0, endsAt: clock().getTime() + windowMs };
      counter.count += 1;
      counters.delete(key);
      counters.set(key, counter);
      if (counters.size > mostKeys) counters.delete(counters.keys().next().value ?? '');
    },
    delete: (key) => void counters.delete(key),
    deleteAll(prefix) {
      for (const key of counters.keys()) if (key.startsWith(prefix)) counters.delete(key);
    },
  };
}
