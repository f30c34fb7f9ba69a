/**
 * One clock for all times on a page. It ticks only while something reads it reactively, and not on
 * the server.
 */
import { createSubscriber } from 'svelte/reactivity';

function ticking(everyMs: number): () => number {
  const subscribe = createSubscriber((update) => {
    const timer = setInterval(update, everyMs);
    return () => clearInterval(timer);
  });
  return () => {
    subscribe();
    return Date.now();
  };
}

/** The current time in epoch milliseconds, updated every second. */
export const nowBySecond: () => number = ticking(1_000);

/** The same, updated every 20 seconds: enough for "4 minutes ago". */
export const nowByMinute: () => number = ticking(20_000);
