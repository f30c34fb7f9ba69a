/**
 * A tag is one tag however it is spelled: what a post is given is written as the
 * oldest other post with it writes it, so that readers see one name for one thing.
 */
import type { Id } from '#kernel/id.ts';
import type { Tx } from '#platform/database.ts';
import { spellings } from './tag-store.ts';

/** The same tags, each once. Those in `present`, the post's own, are as they are and cost no look. */
export async function inKnownSpelling(
  tx: Tx,
  id: Id,
  tags: readonly string[],
  present: readonly string[],
): Promise<string[]> {
  const own = new Set(present);
  const isNew = tags.some((tag) => !own.has(tag));
  const names = tags.map((tag) => tag.toLowerCase());
  // Of other posts, so that a tag's only one can be spelled anew.
  const others = isNew ? await spellings(tx, id, names) : [];
  const known = new Map(others.map((tag) => [tag.toLowerCase(), tag]));
  const spelled = new Map<string, string>();
  for (const tag of tags) {
    const name = tag.toLowerCase();
    if (!spelled.has(name)) spelled.set(name, known.get(name) ?? tag);
  }
  return [...spelled.values()];
}
