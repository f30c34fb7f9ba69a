/**
 * The Idempotency-Key of one deed, kept until the service has answered it: when
 * an answer is lost, the next press sends the same key and the deed happens once.
 */
import { anotherPerson } from '@cambist/contract/endpoint';
import { ApiError, type Failure } from './client.ts';
import { isUnsure } from './uncertain.ts';

/** Says nothing about whether the deed was done, so the question stays open. */
function isUnanswered(failure: Failure): boolean {
  return isUnsure(failure) || failure.code === 'idempotency_in_progress';
}

/** Refused before the service looked at the key: the session, its token, the pace, the person. */
function isNotAsked({ status, code }: Failure): boolean {
  return [401, 403, 419, 429].includes(status) || code === anotherPerson;
}

export class DeedKey {
  #key: string | null = null;
  #said = '';
  #body: unknown;
  /** Whether an answer is missing, so that it may have been done. */
  #isOpen = false;

  /** The key for this request: the same one while the same request has no answer. */
  for(request: unknown): string {
    const said = JSON.stringify(request);
    if (this.#key === null || said !== this.#said) {
      this.#key = randomKey();
      this.#said = said;
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
   * Sends a body under its key and hears the answer. Where the body names a version, which the deed
   * itself may have raised, `said` is the rest of it: while an answer to that is missing, it goes as
   * it went then.
   * @throws {ApiError}
   */
  async send<Body, Reply>(
    body: Body,
    send: (keyed: { body: Body; idempotencyKey: string }) => Promise<Reply>,
    said: unknown = body,
  ): Promise<Reply> {
    const idempotencyKey = this.for(said);
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
