/**
 * Asks the service what a draft comes to, a moment after the last key. The last
 * answer stands until the next one is here, so nothing flickers while typing;
 * an answer to an older question is dropped.
 */
import { previewPair, type PairPreview } from '@cambist/contract/pairs';
import type { BodyOf } from '@cambist/contract/endpoint';
import { ApiError, call, type Failure } from '#lib/api/client.ts';

const pauseMs = 300;

export class Previewing {
  answer = $state.raw<PairPreview | null>(null);
  /** Why the draft as it stands has no answer: figures that cannot work, or no connection. */
  failure = $state.raw<Failure | null>(null);
  pending = $state(false);
  #about = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: AbortController | undefined;

  /**
   * Null where the draft lacks a figure: what was answered last stands until it
   * has one. `about` names what no answer outlasts: currencies, mode.
   */
  ask(body: BodyOf<typeof previewPair> | null, about: string): void {
    this.stop();
    if (about !== this.#about) this.answer = null;
    this.#about = about;
    if (body === null) {
      this.failure = null;
      return;
    }
    this.pending = true;
    this.#timer = setTimeout(() => void this.#send(body), pauseMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#running?.abort();
    this.#running = undefined;
    this.pending = false;
  }

  async #send(body: BodyOf<typeof previewPair>): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    try {
      const { data } = await call(previewPair, { body, signal: running.signal });
      if (this.#running !== running) return;
      this.answer = data;
      this.failure = null;
    } catch (error) {
      if (this.#running !== running) return;
      if (!(error instanceof ApiError)) throw error;
      this.failure = error.failure;
    } finally {
      if (this.#running === running) {
        this.#running = undefined;
        this.pending = false;
      }
    }
  }
}
