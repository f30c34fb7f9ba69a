/** What links to a post, a legal page or a picture: asked before it goes. */
import type { Link } from '@cambist/contract/linking';
import { sql } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';

/** So many links are named. */
const MOST = 100;

export interface Links {
  readonly data: Link[];
}

interface Target {
  readonly id: Id;
  /** Paths at which the site shows it, or redirects to it: `/blog/first-post`. */
  readonly paths: readonly string[];
}

/** Links of the site's own pages, with or without its host. */
export async function listLinks(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  { id, paths }: Target,
): Promise<Links> {
  const { host } = new URL(config.frontendUrl);
  // In HTML `href="/blog/a"`, in settings `"href": "/blog/a"`.
  const pattern = `href(=|": )"(https?://${literally(host)})?(${paths.map(literally).join('|')})/?["?#]`;
  return listContaining(db, pattern, { except: id, today: clock().toISOString().slice(0, 10) });
}

export async function listPictureLinks(db: Db | Tx, key: string): Promise<Links> {
  return listContaining(db, `/media/${literally(key)}-[0-9]`, { except: '', today: null });
}

interface Narrowed {
  /** The subject that is to be deleted. */
  readonly except: string;
  /** Today in UTC: versions of legal pages that are no longer in force then are left out. Null: none is. */
  readonly today: string | null;
}

/** In the order in which the console lists them; last what cannot be changed any more. */
async function listContaining(
  db: Db | Tx,
  pattern: string,
  { except, today }: Narrowed,
): Promise<Links> {
  const { rows } = await sql<Link>`
    with found (place, kind, id, title) as (
      select 1, 'settings', slug, slug from settings where value::text ~* ${pattern}
      union
      select 2, 'post', id::text, draft->>'title' from posts
      where concat(draft->>'body', ' ', draft->>'cover') ~* ${pattern}
        or published_at is not null and concat(body, ' ', cover) ~* ${pattern}
      union
      select 3, 'legal_page', id::text, draft->>'title' from legal_pages
      where draft->>'body' ~* ${pattern}
      union
      select 3, 'legal_page', p.id::text, p.draft->>'title'
      from legal_page_versions v join legal_pages p on p.id = v.page_id
      where v.body ~* ${pattern} and (${today}::date is null or p.published_at is not null and not exists (
        select from legal_page_versions w
        where w.page_id = v.page_id and w.number > v.number
          and w.effective_on <= greatest(v.effective_on, ${today}::date)))
      union
      select case when started_at is null then 4 else 5 end,
        case when started_at is null then 'campaign' else 'sent_campaign' end, id::text, subject
      from campaigns where body ~* ${pattern}
    )
    select kind, id, title from found where id <> ${except}
    order by place, title, id limit ${MOST}`.execute(db);
  return { data: rows };
}

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
