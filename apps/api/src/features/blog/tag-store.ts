/** How posts spell their tags. */
import { sql } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Tx } from '#platform/database.ts';

/** Of tags with these names, in small letters, what the oldest post but this one writes, public or not. */
export async function spellings(tx: Tx, but: Id, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`
    select distinct on (lower(tag)) tag
    from posts, lateral (
      select unnest(tags) as tag union all select jsonb_array_elements_text(draft_tags)
    ) as each
    where id <> ${but} and lower(tag) = any(${names}::text[])
    order by lower(tag), id`.execute(tx);
  return rows.map(({ tag }) => tag);
}
