/**
 * Texts of a post that were sent, and of which nobody knows whether they are saved:
 * no answer came, or one that came before the service was done. The service, sent
 * one again that it has, answers as it did.
 */
import type { PostContent } from '@cambist/contract/blog';
import type { PostDraft } from '@cambist/contract/blog-writing';
import { ApiError } from '#lib/api.ts';
import { isUnsure } from '#lib/unsure.ts';
import { contentOf, formOf } from '../post-form.ts';

const mostKept = 20;

export class Unheard {
  /** As JSON: one that is tried again and again is kept once. */
  readonly #texts = new Set<string>();

  /** Sends a text; where nobody knows whether it is saved, the post is read anew. @throws {ApiError} */
  async orFind<Post extends Pick<PostDraft, 'version' | 'content'>>(
    version: number,
    text: PostContent,
    { send, read }: Readonly<Record<'send' | 'read', () => Promise<Post>>>,
  ): Promise<Post> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiError) || !isUnsure(error)) throw error;
      this.#note(text);
      const post = await read().catch(() => null);
      const isThere = post !== null && post.version > version && isSame(post.content, text);
      if (!isThere) throw error;
      return post;
    }
  }

  #note(text: PostContent): void {
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

const isSame = (one: PostContent, other: PostContent) =>
  JSON.stringify(contentOf(formOf(one))) === JSON.stringify(other);

export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'version_conflict';
}
