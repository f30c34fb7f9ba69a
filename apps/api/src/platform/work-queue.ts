/** Bounds costly work: a few tasks run at once, a few more wait, and the rest are refused. */
import { unavailable } from './http/errors.ts';

/** @throws {Refusal} 503 from the returned function when too many tasks wait */
export function openQueue({
  atOnce,
  waiting: mostWaiting,
  refusal,
}: {
  readonly atOnce: number;
  readonly waiting: number;
  readonly refusal: string;
}) {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async function queue<T>(work: () => Promise<T>): Promise<T> {
    if (running < atOnce) running += 1;
    else {
      if (waiting.length >= mostWaiting) throw unavailable(refusal);
      // A task that ends passes its place on without freeing it in between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
