/**
 * Keeps a part of the product running: starts it again when it has ended by
 * itself, each time a little later, and gives up when it keeps ending. What is
 * broken for good must not be started for ever, and one crash must not stop the
 * parts that work.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { lastWords } from './log-line.ts';
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

export interface Kept {
  /** Rejects with a sentence when it has ended too often. */
  failed: Promise<never>;
  /** Stops it, also while it is being started or waited for. */
  stop(): Promise<void>;
}

export interface Pace {
  /** Before the first new start; doubled for each that follows, up to `longestMs`. */
  firstMs: number;
  longestMs: number;
  /** So many ends are too many, unless a life longer than `windowMs` was among them: it begins anew. */
  most: number;
  windowMs: number;
}

export const PACE: Pace = { firstMs: 1000, longestMs: 30_000, most: 5, windowMs: 60_000 };
const LINES_EACH_TIME = 4;

export function keepRunning(part: Part): Kept {
  const stopping = new AbortController();
  let life: Promise<Running> = Promise.resolve(part.first);
  const keeping = keep(part, stopping.signal, (next) => (life = next));
  const failed = keeping.then(() => new Promise<never>(() => {}));
  // It is looked at by whoever waits; until then it is no unhandled failure.
  failed.catch(() => {});
  return {
    failed,
    async stop() {
      stopping.abort();
      const running = await life.catch(() => null);
      await running?.stop();
    },
  };
}

/** Ends when told to stop; throws when it has given up. */
async function keep(
  { name, first, again, say, pace = PACE }: Part,
  signal: AbortSignal,
  begun: (life: Promise<Running>) => void,
): Promise<void> {
  let life = Promise.resolve(first);
  let ends = 0;
  let delayMs = pace.firstMs;
  for (;;) {
    const { lines, livedMs } = await lived(life);
    if (signal.aborted) return;
    if (livedMs > pace.windowMs) {
      delayMs = pace.firstMs;
      ends = 0;
    }
    ends += 1;
    if (ends >= pace.most) throw tooOften(name, ends, pace, lines);
    say(
      `The ${name} stopped by itself and is started again in ${delayMs / 1000} s. Its last lines were:`,
    );
    say(lastWords(lines, LINES_EACH_TIME));
    await sleep(delayMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    delayMs = Math.min(delayMs * 2, pace.longestMs);
    life = (async () => again())();
    begun(life);
  }
}

/** How long it ran and what it said last. A start that fails is no life, however long it took. */
async function lived(life: Promise<Running>): Promise<{ lines: string[]; livedMs: number }> {
  try {
    const { ended } = await life;
    const began = performance.now();
    const lines = await ended;
    return { lines, livedMs: performance.now() - began };
  } catch (error) {
    return { lines: lastSentence(error), livedMs: 0 };
  }
}

function lastSentence(error: unknown): string[] {
  return (error instanceof Error ? error.message : String(error)).split('\n');
}

function tooOften(name: string, ends: number, { windowMs }: Pace, lines: string[]): PlainError {
  return new PlainError(
    `The ${name} stopped by itself ${ends} times, each within ${windowMs / 1000} s of its start, so everything is stopped. Its last lines were:\n${lastWords(lines)}`,
  );
}
