/**
 * A tag is one tag however it is spelled: what a post is given is written as the
 * oldest other post with it writes it, so that readers see one name for one thing.
 */
import { sql } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Tx } from '#platform/database.ts';

/** The same tags, each once. Those in `present`, the post's own, are as they are and cost no look. */
export async function inKnownSpelling(
  tx: Tx,
  id: Id,
  tags: readonly string[],
  present: readonly string[],
): Promise<string[]> {
  const own = new Set(present);
  const isNew = tags.some((tag) => !own.has(tag));
  const known = isNew ? await knownSpellings(tx, id, tags) : new Map<string, string>();
  const spelled = new Map<string, string>();
  for (const tag of tags) {
    const name = tag.toLowerCase();
    if (!spelled.has(name)) spelled.set(name, known.get(name) ?? tag);
  }
  return [...spelled.values()];
}

/** By the name in small letters. Of other posts, so that a tag's only one can be spelled anew. */
async function knownSpellings(
  tx: Tx,
  id: Id,
  tags: readonly string[],
): Promise<Map<string, string>> {
  const names = tags.map((tag) => tag.toLowerCase());
  const { rows } = await sql<{ tag: string }>`
    select distinct on (lower(tag)) tag
    from posts, lateral (
      select unnest(tags) as tag union all select jsonb_array_elements_text(draft_tags)
    ) as each
    where id <> ${id} and lower(tag) = any(${names}::text[])
    order by lower(tag), id`.execute(tx);
  return new Map(rows.map(({ tag }) => [tag.toLowerCase(), tag]));
}
