/** How posts spell their tags, and how many have each: counted by the database at every change of a post. */
import { sql } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/database.ts';

/** More are not listed. */
const LISTED = 100;

/** Of tags with these names (in lower case), what the oldest post but this one writes, public or not. */
export async function spellings(tx: Tx, but: Id, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`
    select distinct on (t.name) t.tag
    from post_tags t, lateral (
      select id from posts
      where id <> ${but} and (tags @> array[t.tag] or draft_tags ? t.tag) order by id limit 1
    ) as oldest
    where t.name = any(${names}::text[])
    order by t.name, oldest.id`.execute(tx);
  return rows.map(({ tag }) => tag);
}

/** This tag as posts spell it, the commonest first; itself where none has it. */
export async function findSpelled(db: Db, tag: string): Promise<string[]> {
  const rows = await db
    .selectFrom('post_tags')
    .select('tag')
    .where(sql<boolean>`name = lower(${tag})`)
    .orderBy('shown', 'desc')
    .orderBy('tag')
    .execute();
  return rows.length === 0 ? [tag] : rows.map((row) => row.tag);
}

export interface TagCount {
  readonly tag: string;
  readonly posts: number;
}

/** Those of working copies, the most used first. */
export async function listDraftTags(db: Db): Promise<TagCount[]> {
  return db
    .selectFrom('post_tags')
    .select(['tag', 'written as posts'])
    .where('written', '>', 0)
    .orderBy('written', 'desc')
    .orderBy('tag')
    .limit(LISTED)
    .execute();
}

/** Those of what is published by `now`, the most used first. */
export async function listTags(db: Db, now: Date): Promise<TagCount[]> {
  const { rows } = await sql<TagCount>`
    with coming as materialized (
      select tag, count(*)::int as posts from posts, unnest(tags) as tag
      where published_at > ${now} group by tag
    )
    select tag, shown - coalesce(coming.posts, 0) as posts from post_tags left join coming using (tag)
    where shown > coalesce(coming.posts, 0) order by posts desc, tag limit ${LISTED}`.execute(db);
  return rows;
}
