/** What leads to a post, or a legal page, from elsewhere on the site, and from letters of campaigns. */
import { sql } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db } from '#platform/database.ts';

export interface LinkRow {
  readonly kind: 'post' | 'legal_page' | 'settings' | 'campaign' | 'sent_campaign';
  readonly id: string;
  readonly title: string;
}

/**
 * As it was noted when each text was saved (`0053_links_noted.sql`, `0065_entry_words_and_page_links.sql`), a slug with
 * its host before it where the link names one, and `/` before that of a legal page: of the versions of a legal page those in force or
 * announced. At most `limit` of each kind, the youngest.
 */
export async function listLinking(
  db: Db,
  id: Id,
  noted: readonly string[],
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<LinkRow[]> {
  const ids = (kind: string) => sql`any (array(
    select subject_id::uuid from found where subject_kind = ${kind}
    order by subject_id desc limit ${limit}))`;
  const { rows } = await sql<LinkRow>`
    with found as materialized (
      select distinct l.subject_kind, l.subject_id from post_links l
      where l.slug = any (${noted}::text[]) and l.subject_id <> ${id}::text
        and (l.number = 0 or exists (
          select from legal_page_versions v
          join legal_pages p on p.id = v.page_id and p.published_at is not null
          where v.page_id::text = l.subject_id and v.number = l.number and not exists (
            select from legal_page_versions w
            where w.page_id = v.page_id and w.number > v.number
              and w.effective_on <= greatest(v.effective_on, (${now}::timestamptz at time zone 'utc')::date))))
    )
    select 'post' as kind, id::text, draft->>'title' as title from posts where id = ${ids('post')}
    union all
    select 'legal_page', id::text, draft->>'title' from legal_pages where id = ${ids('legal_page')}
    union all
    select subject_kind, subject_id, subject_id from found where subject_kind = 'settings'
    union all
    select case when started_at is null then 'campaign' else 'sent_campaign' end, id::text, subject
      from campaigns where id = ${ids('campaign')}
    order by kind desc, title limit ${limit}`.execute(db);
  return rows;
}
