/** What is remembered of legal pages. */
import type { Insertable, Selectable } from 'kysely';
import type { Db, Tx } from '#platform/database.ts';
import type { LegalPagesTable } from '#platform/tables.ts';

export type LegalPageRow = Selectable<LegalPagesTable>;

export async function listPublished(db: Db): Promise<Omit<LegalPageRow, 'body'>[]> {
  return db
    .selectFrom('legal_pages')
    .select([
      'id',
      'slug',
      'title',
      'summary',
      'version',
      'effective_on',
      'position',
      'published_at',
      'updated_at',
    ])
    .where('published_at', 'is not', null)
    .orderBy('position')
    .orderBy('title')
    .execute();
}

export async function findPublished(db: Db, slug: string): Promise<LegalPageRow | undefined> {
  return db
    .selectFrom('legal_pages')
    .selectAll()
    .where('slug', '=', slug)
    .where('published_at', 'is not', null)
    .executeTakeFirst();
}

/** Undefined when the slug is taken. */
export async function insertLegalPage(
  tx: Tx,
  page: Insertable<LegalPagesTable>,
): Promise<LegalPageRow | undefined> {
  return tx
    .insertInto('legal_pages')
    .values(page)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Undefined when there is no page of that slug. */
export async function updateLegalPage(
  tx: Tx,
  slug: string,
  change: Partial<Omit<LegalPageRow, 'id' | 'slug'>>,
): Promise<LegalPageRow | undefined> {
  return tx
    .updateTable('legal_pages')
    .set(change)
    .where('slug', '=', slug)
    .returningAll()
    .executeTakeFirst();
}
