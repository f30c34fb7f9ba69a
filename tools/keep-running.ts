/**
 * Keeps a part of the product running: starts it again when it has ended by itself, each time a
 * little later, and gives up when it keeps ending. What is broken for good must not be started for
 * ever, and one crash must not stop the parts that work.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines } from './log-line.ts';
import { PlainError } from './plain-error.ts';

export interface Running {
  /** Resolves with its last lines when it has ended. */
  ended: Promise<string[]>;
  stop(): Promise<void>;
}

export interface Part {
  /** As it stands in a sentence after "The". */
  name: string;
  /** What runs already. */
  first: Running;
  /** Starts it again; what it throws counts as another end. */
  again(): Promise<Running> | Running;
  say(line: string): void;
  pace?: Pace;
}

export interface Supervised {
  /** Rejects with a sentence when it has ended too often. */
  failed: Promise<never>;
  /** Stops it, also while it is being started or waited for. */
  stop(): Promise<void>;
}

export interface Pace {
  /** Before the first new start; doubled for each that follows, up to `longestMs`. */
  firstMs: number;
  longestMs: number;
  /** So many ends are too many, unless it ran longer than `windowMs` once among them. */
  most: number;
  windowMs: number;
}

export const PACE: Pace = { firstMs: 1000, longestMs: 30_000, most: 5, windowMs: 60_000 };
const LINES_EACH_TIME = 4;

export function keepRunning({ name, first, again, say, pace = PACE }: Part): Supervised {
  const stopping = new AbortController();
  let current: Promise<Running> = Promise.resolve(first);

  async function supervise(): Promise<never> {
    let ends = 0;
    let delayMs = pace.firstMs;
    for (;;) {
      const { lines, ranMs } = await untilEnd(current);
      if (stopping.signal.aborted) return new Promise<never>(() => {});
      if (ranMs > pace.windowMs) [ends, delayMs] = [0, pace.firstMs];
      ends += 1;
      if (ends >= pace.most) throw tooOften(name, ends, pace, lines);
      say(
        `The ${name} stopped by itself and is started again in ${delayMs / 1000} s. Its last lines were:`,
      );
      say(lastLines(lines, LINES_EACH_TIME));
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return new Promise<never>(() => {});
      delayMs = Math.min(delayMs * 2, pace.longestMs);
      current = (async () => again())();
    }
  }

  const failed = supervise();
  // Until the launcher waits for it, it is no unhandled failure.
  failed.catch(() => {});
  return {
    failed,
    async stop() {
      stopping.abort();
      const running = await current.catch(() => null);
      await running?.stop();
    },
  };
}

/** How long it ran, and its last lines. A start that fails ran for no time, however long it took. */
async function untilEnd(starting: Promise<Running>): Promise<{ lines: string[]; ranMs: number }> {
  try {
    const { ended } = await starting;
    const began = performance.now();
    return { lines: await ended, ranMs: performance.now() - began };
  } catch (error) {
    return {
      lines: (error instanceof Error ? error.message : String(error)).split('\n'),
      ranMs: 0,
    };
  }
}

function tooOften(name: string, ends: number, { windowMs }: Pace, lines: string[]): PlainError {
  return new PlainError(
    `The ${name} stopped by itself ${ends} times, each within ${windowMs / 1000} s of its start, so everything is stopped. Its last lines were:\n${lastLines(lines)}`,
  );
}
