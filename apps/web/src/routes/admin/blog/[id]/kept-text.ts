/** The text of a post that is typed and not yet saved, kept by the browser for this tab. */
import type { PostContent } from '@cambist/contract/blog';
import { forgetDraft, keepDraft, keptDraft } from '#lib/admin/kept-draft.ts';

/** Another person's is another name: a tab may be handed on. */
export function textName(postId: string, userId: string): string {
  return `post ${postId} ${userId}`;
}

/** Answers whether it is kept. */
export function keepText(name: string, content: PostContent): boolean {
  return keepDraft(name, content);
}

export function forgetText(name: string): void {
  forgetDraft(name);
}

/** Null where nothing, or nothing readable, was kept. */
export function keptText(name: string): PostContent | null {
  const kept = keptDraft(name) as PostContent | null;
  return typeof kept?.body === 'string' && Array.isArray(kept.tags) ? kept : null;
}
