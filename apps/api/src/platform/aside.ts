/**
 * Work of jobs that goes on after their handler has answered, because it only waits for somebody
 * else's machine: it would keep a worker from all other jobs. A few of a queue at once, whatever comes.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** Each holds a connection; servers that are asked for more refuse them all. */
const MOST_ASIDE = 8;

export interface Aside {
  /** Takes work that never rejects; false when there is so much already, and the handler must wait for it. */
  take(work: Promise<void>): boolean;
  /** Waits until all has ended, at most this long. */
  ended(longestMs: number): Promise<void>;
}

export function openAside(): Aside {
  const going = new Set<Promise<void>>();
  return {
    take(work) {
      if (going.size >= MOST_ASIDE) return false;
      going.add(work);
      void work.finally(() => going.delete(work));
      return true;
    },

    async ended(longestMs) {
      await Promise.race([Promise.all(going), sleep(longestMs, undefined, { ref: false })]);
    },
  };
}
