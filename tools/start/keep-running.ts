/**
 * Restarts a part of the product whenever it ends by itself, so that one crash does not stop the
 * parts that work. It waits longer each time, and never gives up: a full disk has room again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines } from './log-line.ts';

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
  /** Before the first restart; doubled for each that follows. */
  firstWaitMs?: number;
}

const LONGEST_WAIT_MS = 30_000;
/** What ran so long starts anew with the first wait. */
const STABLE_MS = 60_000;
const LINES_EACH_TIME = 4;

/** Answers the way to stop it, also while it is being started or waited for. */
export function keepRunning({ name, first, again, say, firstWaitMs = 1000 }: Part) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let current: Promise<Running> = Promise.resolve(first);

  async function supervise(): Promise<void> {
    let waitMs = firstWaitMs;
    for (;;) {
      const began = performance.now();
      const lines = await current.then(({ ended }) => ended, linesOf);
      if (signal.aborted) return;
      if (performance.now() - began > STABLE_MS) waitMs = firstWaitMs;
      say(`The ${name} stopped by itself and is started again in ${waitMs / 1000} s.`);
      say(`Its last lines were:\n${lastLines(lines, LINES_EACH_TIME)}`);
      await sleep(waitMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
      current = (async () => again())();
    }
  }

  void supervise();
  return {
    async stop(): Promise<void> {
      stopping.abort();
      const running = await current.catch(() => null);
      await running?.stop();
    },
  };
}

function linesOf(error: unknown): string[] {
  return (error instanceof Error ? error.message : String(error)).split('\n');
}
