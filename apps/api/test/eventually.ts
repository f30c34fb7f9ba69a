/** Waits for conditions, long enough for a busy machine. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '#kernel/clock.ts';

interface Refusable {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

export async function eventually(
  what: string,
  isSo: () => Promise<boolean> | boolean,
): Promise<void> {
  for (const end = Date.now() + 60 * SECOND; !(await isSo()); await sleep(50)) {
    assert.ok(Date.now() < end, `${what} within a minute`);
  }
}

/** Repeats a request while the answer is 503. Writes need a key. */
export async function untilServed<A extends Refusable>(ask: () => Promise<A>): Promise<A> {
  for (const end = Date.now() + 120 * SECOND; ; await sleep(SECOND * Math.random())) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    assert.match(answer.text, /"code":"service_unavailable"/);
    assert.equal(answer.headers['retry-after'], '5');
    assert.ok(Date.now() < end, 'an answer other than 503 within two minutes');
  }
}
