/** All SQL on legal pages: pages with their drafts, versions, former addresses. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type {
  LegalPageRedirectsTable,
  LegalPageVersionsTable,
  LegalPagesTable,
} from '#platform/db/tables.generated.ts';
import type { Db, Tx } from '#platform/db/database.ts';

export type LegalPageRow = Selectable<LegalPagesTable>;
export type VersionRow = Selectable<LegalPageVersionsTable>;
/** All of a version but its text. */
export type VersionHead = Omit<VersionRow, 'body'>;

/** In their order on the site. */
export async function listPages(db: Db | Tx): Promise<LegalPageRow[]> {
  return db.selectFrom('legal_pages').selectAll().orderBy('position').orderBy('slug').execute();
}

export async function findPage(db: Db | Tx, id: Id): Promise<LegalPageRow | undefined> {
  return db.selectFrom('legal_pages').selectAll().where('id', '=', id).executeTakeFirst();
}

/** On the site, at its present or a former address. */
export async function findPublished(db: Db | Tx, slug: string): Promise<LegalPageRow | undefined> {
  return db
    .selectFrom('legal_pages')
    .selectAll()
    .where('published_at', 'is not', null)
    .where('id', '=', idAt(slug))
    .executeTakeFirst();
}

/** At its present or a former address. */
const idAt = (slug: string) => sql<Id>`coalesce(
  (select id from legal_pages where slug = ${slug}),
  (select page_id from legal_page_redirects where slug = ${slug}))`;

const heads = [
  'page_id',
  'number',
  'title',
  'summary',
  'change',
  'effective_on',
  'author_id',
  'author_name',
  'at',
] as const;

/** In the order of their numbers; of one page, or of all. */
export async function listVersions(db: Db | Tx, pageId?: Id): Promise<VersionHead[]> {
  return db
    .selectFrom('legal_page_versions')
    .select(heads)
    .$if(pageId !== undefined, (query) => query.where('page_id', '=', pageId ?? ''))
    .orderBy('page_id')
    .orderBy('number')
    .execute();
}

/** None where visitors find no page at this address. */
export function listPublishedVersions(db: Db | Tx, slug: string): Promise<VersionHead[]> {
  return db
    .selectFrom('legal_page_versions')
    .innerJoin('legal_pages as p', 'p.id', 'page_id')
    .select(heads)
    .where('page_id', '=', idAt(slug))
    .where('p.published_at', 'is not', null)
    .orderBy('number')
    .execute();
}

export async function findVersion(
  db: Db | Tx,
  pageId: Id,
  number: number,
): Promise<VersionRow | undefined> {
  return db
    .selectFrom('legal_page_versions')
    .selectAll()
    .where('page_id', '=', pageId)
    .where('number', '=', number)
    .executeTakeFirst();
}

export async function findLastVersion(db: Db | Tx, pageId: Id): Promise<VersionRow | undefined> {
  return db
    .selectFrom('legal_page_versions')
    .selectAll()
    .where('page_id', '=', pageId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function insertVersion(tx: Tx, version: VersionRow): Promise<void> {
  await tx.insertInto('legal_page_versions').values(version).execute();
}

export async function lockPage(tx: Tx, id: Id): Promise<LegalPageRow | undefined> {
  return tx
    .selectFrom('legal_pages')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function lockPages(tx: Tx): Promise<LegalPageRow[]> {
  return tx.selectFrom('legal_pages').selectAll().orderBy('id').forUpdate().execute();
}

export async function insertPage(tx: Tx, page: Insertable<LegalPagesTable>): Promise<void> {
  await tx.insertInto('legal_pages').values(page).execute();
}

export async function updatePage(
  tx: Tx,
  id: Id,
  change: Updateable<LegalPagesTable>,
): Promise<void> {
  await tx.updateTable('legal_pages').set(change).where('id', '=', id).execute();
}

/** Only of a page without versions: the database keeps the others. */
export async function deletePage(tx: Tx, id: Id): Promise<void> {
  await tx.deleteFrom('legal_pages').where('id', '=', id).execute();
}

export async function listAllRedirects(
  db: Db | Tx,
): Promise<Pick<Selectable<LegalPageRedirectsTable>, 'slug' | 'page_id'>[]> {
  return db
    .selectFrom('legal_page_redirects')
    .select(['slug', 'page_id'])
    .orderBy('slug')
    .execute();
}

/** The present address of the page that had this one before. */
export async function findMovedTo(db: Db | Tx, slug: string): Promise<string | undefined> {
  const page = await db
    .selectFrom('legal_pages')
    .innerJoin('legal_page_redirects', 'legal_page_redirects.page_id', 'legal_pages.id')
    .select('legal_pages.slug')
    .where('legal_page_redirects.slug', '=', slug)
    .executeTakeFirst();
  return page?.slug;
}
