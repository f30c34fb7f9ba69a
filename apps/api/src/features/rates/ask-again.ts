/**
 * Asks a provider that cannot be reached a second and a third time, a moment
 * later: most of what breaks a connection is over by then. One time-out holds for
 * all tries, so that one that hangs costs the others nothing.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, type AskOptions } from './ask.ts';
import type { RateProvider, Reading } from './provider.ts';

/** Less is no time to answer in. */
export const LEAST_MS = 500;
const MOST_TRIES = 3;
/** Doubled for the third try; up to twice as long, so that not all desks ask in step. */
const PAUSE_MS = 200;

/** `requests`: how many the provider got, as its plan counts them. Never throws. */
export async function askAgain(
  provider: RateProvider,
  { timeoutMs, ...options }: AskOptions & { readonly timeoutMs: number },
): Promise<Reading & { durationMs: number; requests: number }> {
  const began = Date.now();
  const leftMs = () => timeoutMs - (Date.now() - began);
  let requests = 0;
  for (let tries = 1; ; tries += 1) {
    const reading = await ask(provider, { ...options, timeoutMs: leftMs() });
    if (reading.ok || reading.network !== 'unsent') requests += 1;
    const pauseMs = randomInt(PAUSE_MS, 2 * PAUSE_MS) * tries;
    const isOver =
      reading.ok ||
      reading.network === undefined ||
      tries === MOST_TRIES ||
      options.signal?.aborted === true;
    if (isOver || leftMs() < pauseMs + LEAST_MS)
      return { ...reading, durationMs: Date.now() - began, requests };
    await sleep(pauseMs);
  }
}
