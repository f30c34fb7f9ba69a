/**
 * Publishing what is saved, once: where somebody saved it meanwhile, or the answer is lost, the
 * post is read anew, and what is public already is not published again.
 */
import type { PostDraft } from '@cambist/contract/blog-writing';
import { LostAnswer } from '#lib/admin/lost-answer.ts';
import { isConflict } from './unheard.ts';

interface Held {
  readonly post: PostDraft;
  moved(post: PostDraft): void;
}

interface Reading {
  readonly read: () => Promise<PostDraft>;
  /** Whether it is a text that is not known here; else it is the one that is held from now on. */
  readonly isOther: (saved: PostDraft) => boolean;
  /** When it is to be public; null for now, or as it was already. */
  readonly at: string | null;
}

type Work = (version: number) => Promise<PostDraft>;

export class Publishing {
  readonly #lost = new LostAnswer();

  /** Answers whether it is done; false where another text is to be compared first. @throws {ApiError} */
  go(held: Held, work: Work, reading: Reading): Promise<boolean> {
    const before = held.post;
    return this.#lost.orFind(
      () => attempt(held, work, reading),
      async () => {
        const saved = await reading.read();
        if (!isPublishedSince(before, saved, reading.at)) return null;
        held.moved(saved);
        return true;
      },
    );
  }
}

async function attempt(held: Held, work: Work, { read, isOther, at }: Reading): Promise<boolean> {
  const before = held.post;
  try {
    held.moved(await work(before.version));
  } catch (error) {
    if (!isConflict(error)) throw error;
    if (isOther(await read())) return false;
    // Somebody else has decided when it is public: that is seen first.
    if (isMoved(before, held.post)) throw error;
    // This very text is public by now: once more would make a revision of nothing.
    if (!isPublishedSince(before, held.post, at)) held.moved(await work(held.post.version));
  }
  return true;
}

/** Whether it is public from another time on, or no longer. */
function isMoved(before: PostDraft, { state, published_at }: PostDraft): boolean {
  return state !== before.state || published_at !== before.published_at;
}

/** Whether the text that was to be public then is so by now. */
function isPublishedSince(before: PostDraft, saved: PostDraft, at: string | null): boolean {
  const isInTime =
    at === null
      ? saved.state === 'published'
      : Date.parse(at) === Date.parse(saved.published_at ?? '');
  if (!isInTime) return false;
  if (saved.state === 'draft' || saved.changed) return false;
  if (JSON.stringify(saved.content) !== JSON.stringify(before.content)) return false;
  return before.changed || isMoved(before, saved);
}
