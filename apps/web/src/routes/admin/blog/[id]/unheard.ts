/**
 * Texts of a post that were sent and got no answer: the answer alone may have been
 * lost. Kept are the first and the last of them; the service, sent one again that
 * it has, answers as it did.
 */
import type { PostContent } from '@cambist/contract/blog';
import { ApiError } from '#lib/api.ts';

export class Unheard {
  #texts: PostContent[] = [];

  note(error: ApiError, text: PostContent): void {
    if (error.status === 0) this.#texts = [...this.#texts.slice(0, 1), text];
  }

  forget(): void {
    this.#texts = [];
  }

  /** Sends them again; answers with the one that is saved. @throws {ApiError} */
  async find<Post>(send: (text: PostContent) => Promise<Post>) {
    for (const text of this.#texts) {
      try {
        return { text, post: await send(text) };
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
    return null;
  }
}

export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'version_conflict';
}
