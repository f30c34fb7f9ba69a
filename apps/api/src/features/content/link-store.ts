/** Where a text of the site, or of a campaign, contains an address. Read when something is to be deleted. */
import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';

export interface LinkRow {
  readonly kind: 'post' | 'legal_page' | 'settings' | 'campaign' | 'sent_campaign';
  readonly id: string;
  readonly title: string;
  /** Only an earlier revision contains it. */
  readonly past: boolean;
}

export interface Asked {
  /** A regular expression; its case does not matter. */
  readonly pattern: string;
  /** The subject that is to be deleted. */
  readonly except?: string;
  /** Today in UTC: versions of legal pages that are no longer in force then are left out. Null: none is. */
  readonly today: string | null;
  /** Whether earlier revisions count. */
  readonly revisions: boolean;
  readonly limit: number;
}

/** In the order in which the console lists them; last what cannot be changed any more. */
export async function listContaining(
  db: Db | Tx,
  { pattern, except = '', today, revisions, limit }: Asked,
): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    with found (place, kind, id, title, past) as (
      select 1, 'settings', slug, slug, false from settings where value::text ~* ${pattern}
      union
      select 2, 'post', id::text, draft->>'title', false from posts
      where concat(draft->>'body', ' ', draft->>'cover') ~* ${pattern}
        or published_at is not null and concat(body, ' ', cover) ~* ${pattern}
      union
      select 3, 'legal_page', id::text, draft->>'title', false from legal_pages
      where draft->>'body' ~* ${pattern}
      union
      select 3, 'legal_page', p.id::text, p.draft->>'title', false
      from legal_page_versions v join legal_pages p on p.id = v.page_id
      where v.body ~* ${pattern} and (${today}::date is null or p.published_at is not null and not exists (
        select from legal_page_versions w
        where w.page_id = v.page_id and w.number > v.number
          and w.effective_on <= greatest(v.effective_on, ${today}::date)))
      union
      select case when started_at is null then 4 else 5 end,
        case when started_at is null then 'campaign' else 'sent_campaign' end, id::text, subject, false
      from campaigns where body ~* ${pattern}
    ), earlier (place, kind, id, title, past) as (
      select 6, r.subject_kind, r.subject_id, coalesce(p.draft->>'title', l.draft->>'title', r.subject_id), true
      from content_revisions r
      left join posts p on r.subject_kind = 'post' and p.id::text = r.subject_id
      left join legal_pages l on r.subject_kind = 'legal_page' and l.id::text = r.subject_id
      where ${revisions} and r.content::text ~* ${pattern}
        and not exists (select from found f where f.kind = r.subject_kind and f.id = r.subject_id)
    )
    select kind, id, title, past from (select * from found union select * from earlier) as linking
    where id <> ${except}
    order by place, title, id limit ${limit}`.execute(db);
  return rows;
}
