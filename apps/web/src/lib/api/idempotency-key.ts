/**
 * The Idempotency-Key of a submission. It stays the same until the service has answered: when an answer
 * is lost, the next press sends the same key, and the action runs once.
 */
import { anotherPerson } from '@cambist/contract/endpoint';
import { ApiError, type Failure } from './client.ts';
import { isUnsure } from './uncertain.ts';

/** The failure does not say whether the action ran. */
function isUnanswered(failure: Failure): boolean {
  return isUnsure(failure) || failure.code === 'idempotency_in_progress';
}

/** Refused before the service looked at the key: session, CSRF token, throttle, another user. */
function isNotAsked({ status, code }: Failure): boolean {
  return [401, 403, 419, 429].includes(status) || code === anotherPerson;
}

export class IdempotencyKey {
  #key: string | null = null;
  #request = '';
  #body: unknown;
  /** An answer is missing: the action may have run. */
  #isOpen = false;

  /** The key for this request: the same one while the same request is unanswered. */
  for(request: unknown): string {
    const serialized = JSON.stringify(request);
    if (this.#key === null || serialized !== this.#request) {
      this.#key = randomKey();
      this.#request = serialized;
      this.#isOpen = false;
    }
    return this.#key;
  }

  /** Call with null after success, with the failure after a refusal. */
  answered(failure: Failure | null): void {
    if (failure !== null && isNotAsked(failure)) return;
    if (failure !== null && isUnanswered(failure)) this.#isOpen = true;
    else this.#key = null;
  }

  /**
   * Sends a body with its key. A body with a version needs `identity`, the body without it: the lost
   * request may have raised the version, and the repeat must have the same body as the first try.
   * @throws {ApiError}
   */
  async send<Body, Reply>(
    body: Body,
    send: (keyed: { body: Body; idempotencyKey: string }) => Promise<Reply>,
    identity: unknown = body,
  ): Promise<Reply> {
    const idempotencyKey = this.for(identity);
    if (!this.#isOpen) this.#body = body;
    try {
      const reply = await send({ body: this.#body as Body, idempotencyKey });
      this.answered(null);
      return reply;
    } catch (error) {
      if (error instanceof ApiError) this.answered(error.failure);
      throw error;
    }
  }
}

/** 128 random bits; `randomUUID` is missing where the page came over plain http. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
