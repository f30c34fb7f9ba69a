/** How posts spell their tags and how many have each. Their names ignore case. */
import { sql } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';

/** More are not listed. */
const LISTED = 100;

export interface TagCount {
  readonly tag: string;
  readonly posts: number;
}
/** Of published posts, or of drafts. */
type Of = 'public' | 'drafts';

function tagsOf(of: Of, now: Date) {
  return of === 'public'
    ? sql`posts, unnest(tags) as tag where published_at <= ${now}`
    : sql`posts, jsonb_array_elements_text(draft_tags) as tag`;
}

/** The most used first. */
export async function listTags(db: Db, of: Of, now: Date): Promise<TagCount[]> {
  const { rows } = await sql<TagCount>`
    select tag, count(*)::int as posts from ${tagsOf(of, now)}
    group by tag order by posts desc, tag limit ${LISTED}`.execute(db);
  return rows;
}

/** By name, each tag as posts spell it, the commonest spelling first. */
export async function listSpellings(db: Db, of: Of, now: Date): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ name: string; tags: string[] }>`
    select name, array_agg(tag order by posts desc, tag) as tags from (
      select lower(tag) as name, tag, count(*) as posts from ${tagsOf(of, now)}
      group by tag
    ) as counted
    group by name`.execute(db);
  return new Map(rows.map(({ name, tags }) => [name, tags]));
}

/** Of tags with these names, the spelling of the oldest other post, published or not. */
export async function findSpellings(
  tx: Tx,
  but: Id,
  names: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; tag: string }>`
    select distinct on (name) lower(tag) as name, tag
    from posts, lateral (
      select unnest(tags) as tag union select jsonb_array_elements_text(draft_tags)
    ) as each
    where id <> ${but} and lower(tag) = any(${names}::text[])
    order by name, id`.execute(tx);
  return new Map(rows.map(({ name, tag }) => [name, tag]));
}
