/** The text of a post that is typed and not yet saved, kept by the browser for this tab. */
import type { PostContent } from '@cambist/contract/blog';
import { forgetDraft, keepDraft, keptDraft } from '#lib/admin/kept-draft.ts';

const nameOf = (id: string) => `post ${id}`;

export function keepText(id: string, content: PostContent): void {
  keepDraft(nameOf(id), content);
}

export function forgetText(id: string): void {
  forgetDraft(nameOf(id));
}

/** Null where nothing, or nothing readable, was kept. */
export function keptText(id: string): PostContent | null {
  const kept = keptDraft(nameOf(id)) as PostContent | null;
  return typeof kept?.body === 'string' && Array.isArray(kept.tags) ? kept : null;
}
