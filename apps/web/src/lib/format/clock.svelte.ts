/**
 * One ticking clock for all times on a page. It runs only while something
 * watches it, and stands still on the server.
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

/** Now in epoch milliseconds, renewed every second for whoever reads it reactively. */
export const nowBySecond: () => number = ticking(1_000);

/** The same, renewed every 20 seconds: enough for "4 minutes ago". */
export const nowByMinute: () => number = ticking(20_000);
