/** The tags of posts. Upper and lower case are the same tag. */
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

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

/** The most used first, each as most posts spell it. */
export async function listTags(db: Db, of: Of, now: Date): Promise<TagCount[]> {
  const { rows } = await sql<TagCount>`
    select mode() within group (order by tag) as tag, count(*)::int as posts
    from ${tagsOf(of, now)}
    group by lower(tag) order by posts desc, tag limit ${LISTED}`.execute(db);
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
