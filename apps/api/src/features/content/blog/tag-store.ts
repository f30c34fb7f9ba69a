/** The tags of posts. */
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** More are not listed. */
const LISTED = 100;

interface TagCount {
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
    select tag, count(*)::int as posts
    from ${tagsOf(of, now)}
    group by tag order by posts desc, tag limit ${LISTED}`.execute(db);
  return rows;
}
