/**
 * Texts of a post that were sent, and of which nobody knows whether they are saved:
 * no answer came, or one that came before the service was done. The service, sent
 * one again that it has, answers as it did.
 */
import type { PostContent } from '@cambist/contract/blog';
import { ApiError } from '#lib/api.ts';

const mostKept = 20;

export class Unheard {
  /** As JSON: one that is tried again and again is kept once. */
  readonly #texts = new Set<string>();

  note(error: ApiError, text: PostContent): void {
    if (!isUnsure(error)) return;
    this.#texts.add(JSON.stringify(text));
    // The first stays: an outage begins with what arrived and was not answered.
    const [, second] = this.#texts;
    if (second !== undefined && this.#texts.size > mostKept) this.#texts.delete(second);
  }

  forget(): void {
    this.#texts.clear();
  }

  /** Sends them again; answers with the one that is saved. @throws {ApiError} */
  async find<Post>(send: (text: PostContent) => Promise<Post>) {
    for (const sent of this.#texts) {
      const text = JSON.parse(sent) as PostContent;
      try {
        return { text, post: await send(text) };
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
    return null;
  }
}

/** Whether what was sent may be saved all the same: a proxy, or the service, may have given up waiting. */
export function isUnsure({ status }: { readonly status: number }): boolean {
  return status === 0 || status >= 500;
}

export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'version_conflict';
}
