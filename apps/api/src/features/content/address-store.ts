/** The addresses of posts and of legal pages: none is given twice, and former ones lead on. */
import { sql } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';

const tables = {
  post: { subjects: 'posts', redirects: 'post_redirects', subject_id: 'post_id' },
  legal_page: {
    subjects: 'legal_pages',
    redirects: 'legal_page_redirects',
    subject_id: 'page_id',
  },
} as const;
type Kind = keyof typeof tables;

function partsOf(kind: Kind) {
  const { subjects, redirects, subject_id } = tables[kind];
  return {
    subjects: sql.table(subjects),
    redirects: sql.table(redirects),
    subject_id: sql.ref(subject_id),
  };
}

/** Until the end of the transaction nobody else takes an address. */
export async function lockAddresses(tx: Tx, kind: Kind): Promise<void> {
  const name = `addresses of ${tables[kind].subjects}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** Whether another one is, or was, at this address. */
export async function isSlugTaken(tx: Tx, kind: Kind, slug: string, id: Id): Promise<boolean> {
  const { subjects, redirects, subject_id } = partsOf(kind);
  const { rows } = await sql`
    select from ${subjects} where slug = ${slug} and id <> ${id}
    union all
    select from ${redirects} where slug = ${slug} and ${subject_id} <> ${id}`.execute(tx);
  return rows.length > 0;
}

/** The old address leads to the new one, which leads nowhere else. */
export async function redirect(
  tx: Tx,
  kind: Kind,
  id: Id,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const { redirects, subject_id } = partsOf(kind);
  await sql`delete from ${redirects} where slug = ${to}`.execute(tx);
  await sql`insert into ${redirects} (slug, ${subject_id}) values (${from}, ${id}) on conflict do nothing`.execute(
    tx,
  );
}

export async function listRedirects(db: Db | Tx, kind: Kind, id: Id): Promise<string[]> {
  const { redirects, subject_id } = partsOf(kind);
  const { rows } = await sql<{ slug: string }>`
    select slug from ${redirects} where ${subject_id} = ${id} order by slug`.execute(db);
  return rows.map(({ slug }) => slug);
}
