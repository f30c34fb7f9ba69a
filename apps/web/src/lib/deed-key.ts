/**
 * The Idempotency-Key of one deed, kept until the service has answered it: when
 * an answer is lost, the next press sends the same key and the deed happens once.
 */
import { anotherPerson } from '@cambist/contract/endpoint';
import type { Failure } from './api.ts';

// These say nothing about whether the deed was done, so the question stays open.
const unanswered = new Set(['idempotency_in_progress', anotherPerson]);

export class DeedKey {
  #key: string | null = null;
  #said = '';

  /** The key for this request: the same one while the same request has no answer. */
  for(request: unknown): string {
    const said = JSON.stringify(request);
    if (this.#key === null || said !== this.#said) {
      this.#key = randomKey();
      this.#said = said;
    }
    return this.#key;
  }

  /** Call with null after success, with the failure after a refusal. */
  answered(failure: Failure | null): void {
    if (failure !== null && (failure.status === 0 || failure.status >= 500)) return;
    if (failure !== null && unanswered.has(failure.code)) return;
    this.#key = null;
  }
}

/** 128 random bits; `randomUUID` is missing where the page came over plain http. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
