/**
 * Turns for decoding files of strangers. Each takes a whole core and up to 200 MB, so two run at
 * once and the line behind them is short.
 */
import { unavailable } from '#platform/http/errors.ts';

const MAX_AT_ONCE = 2;
const MAX_WAITING = 30;

let running = 0;
const waiting: (() => void)[] = [];

/** Does the work when it is its turn. @throws {Refusal} 503 when too many wait already */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < MAX_AT_ONCE) running += 1;
  else {
    if (waiting.length >= MAX_WAITING) throw unavailable('Too many files wait to be decoded.');
    // The one that ends hands its turn on.
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
