/** A tag has one spelling, so that readers see one name for one thing. */
import type { Id } from '#kernel/id.ts';
import type { Tx } from '#platform/db/database.ts';
import { findSpellings } from './tag-store.ts';

/** The same tags, each once, spelled as the oldest other post spells them. Those in `present` stay. */
export async function inKnownSpelling(
  tx: Tx,
  id: Id,
  tags: readonly string[],
  present: readonly string[],
): Promise<string[]> {
  const isNew = tags.some((tag) => !present.includes(tag));
  const known = isNew
    ? await findSpellings(
        tx,
        id,
        tags.map((tag) => tag.toLowerCase()),
      )
    : new Map<string, string>();
  const spelled = new Map<string, string>();
  for (const tag of tags) {
    const name = tag.toLowerCase();
    if (!spelled.has(name)) spelled.set(name, known.get(name) ?? tag);
  }
  return [...spelled.values()];
}
