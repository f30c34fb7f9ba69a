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
 * As it was noted when each text was saved (`10_history.sql`), a slug with
 * its host before it where the link names one, and `/` before that of a legal page: of the versions of a legal page those in force or
 * announced. At most `limit` of each kind, the youngest; kind by kind, and last what nobody can change.
 */
export async function listLinking(
  db: Db,
  id: Id,
  noted: readonly string[],
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<LinkRow[]> {
  const subjects = (kind: string) =>
    sql`select subject_id::uuid from found where subject_kind = ${kind}`;
  const youngest = (kind: string) =>
    sql`any (array(${subjects(kind)} order by subject_id desc limit ${limit}))`;
  const campaigns = sql`from campaigns where id = any (array(${subjects('campaign')}))`;
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
    ), named (place, kind, id, title) as (
      select 1, 'settings', subject_id, subject_id from found where subject_kind = 'settings'
      union all
      select 2, 'post', id::text, draft->>'title' from posts where id = ${youngest('post')}
      union all
      select 3, 'legal_page', id::text, draft->>'title' from legal_pages where id = ${youngest('legal_page')}
      union all
      (select 4, 'campaign', id::text, subject ${campaigns} and started_at is null
        order by campaigns.id desc limit ${limit})
      union all
      (select 5, 'sent_campaign', id::text, subject ${campaigns} and started_at is not null
        order by campaigns.id desc limit ${limit})
    )
    select kind, id, title from named order by place, title, id`.execute(db);
  return rows;
}
