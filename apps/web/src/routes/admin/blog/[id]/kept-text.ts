/**
 * What is typed and not yet saved, kept by the browser for this tab: it outlives a
 * reload, a crash and a service that does not answer.
 */
import type { PostContent } from '@cambist/contract/blog';

const nameOf = (id: string) => `post ${id}`;

export function keepText(id: string, content: PostContent): void {
  try {
    sessionStorage.setItem(nameOf(id), JSON.stringify(content));
  } catch {
    // Full, or forbidden: saving goes on without it.
  }
}

export function forgetText(id: string): void {
  try {
    sessionStorage.removeItem(nameOf(id));
  } catch {
    // Forbidden: there is nothing to forget.
  }
}

/** Null where nothing, or nothing readable, was kept. */
export function keptText(id: string): PostContent | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(nameOf(id)) ?? 'null') as PostContent | null;
    return typeof kept?.body === 'string' && Array.isArray(kept.tags) ? kept : null;
  } catch {
    return null;
  }
}
