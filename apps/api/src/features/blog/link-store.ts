/** What leads to a post from elsewhere on the site, and from letters of campaigns. */
import { sql } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db } from '#platform/database.ts';

export interface LinkRow {
  readonly kind: 'post' | 'legal_page' | 'settings' | 'campaign' | 'sent_campaign';
  readonly id: string;
  readonly title: string;
}

/** Each text is read: it is asked before a post goes, and at no other time. */
export async function listLinking(
  db: Db,
  postId: Id,
  slugs: readonly string[],
  limit: number,
): Promise<LinkRow[]> {
  // Addresses hold small letters, digits and hyphens: nothing of them means more in a pattern.
  const pattern = `/blog/(${slugs.join('|')})($|[^a-z0-9-])`;
  const { rows } = await sql<LinkRow>`
    select 'post' as kind, id::text, draft->>'title' as title from posts
      where id <> ${postId} and (draft->>'body' ~ ${pattern} or (published_at is not null and body ~ ${pattern}))
    union all
    select 'legal_page', id::text, draft->>'title' from legal_pages where draft->>'body' ~ ${pattern}
    union all
    select 'settings', slug, slug from settings where value::text ~ ${pattern}
    union all
    select case when started_at is null then 'campaign' else 'sent_campaign' end, id::text, subject
      from campaigns where body ~ ${pattern}
    order by kind desc, title limit ${limit}`.execute(db);
  return rows;
}
