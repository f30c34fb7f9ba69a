/** All SQL on the kept working copies of legal pages. */
import type { LegalPageContent } from '@cambist/contract/legal-page-writing';
import { sql, type Selectable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { LegalPageCopiesTable } from '#platform/tables.generated.ts';
import type { Db, Tx } from '#platform/database.ts';

type CopyRow = Selectable<LegalPageCopiesTable>;

/** So many are listed; older ones stay. */
const LISTED = 100;

/** Numbers it after the last one of its page, whose row the caller has locked. */
export async function insertCopy(tx: Tx, copy: Omit<CopyRow, 'number'>): Promise<void> {
  const { page_id, content, author_id, author_name, at } = copy;
  await sql`
    insert into legal_page_copies (page_id, number, content, author_id, author_name, at)
    select ${page_id}, coalesce(max(number), 0) + 1, ${content}::jsonb, ${author_id}, ${author_name}, ${at}
    from legal_page_copies where page_id = ${page_id}`.execute(tx);
}

export async function findCopy(
  db: Db | Tx,
  pageId: Id,
  number: number,
): Promise<CopyRow | undefined> {
  return db
    .selectFrom('legal_page_copies')
    .selectAll()
    .where('page_id', '=', pageId)
    .where('number', '=', number)
    .executeTakeFirst();
}

export async function findLastCopy(tx: Tx, pageId: Id): Promise<CopyRow | undefined> {
  return tx
    .selectFrom('legal_page_copies')
    .selectAll()
    .where('page_id', '=', pageId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Whether any version of the page says just that. */
export async function isVersion(
  tx: Tx,
  pageId: Id,
  { title, summary, body }: Pick<LegalPageContent, 'title' | 'summary' | 'body'>,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from legal_page_versions
      where page_id = ${pageId} and title = ${title} and summary = ${summary} and body = ${body}
    ) as found`.execute(tx);
  return rows[0]?.found ?? false;
}

/** The latest first, without their texts. */
export async function listCopies(
  db: Db | Tx,
  pageId: Id,
): Promise<(Omit<CopyRow, 'content'> & { title: string })[]> {
  return db
    .selectFrom('legal_page_copies')
    .select(['page_id', 'number', 'author_id', 'author_name', 'at'])
    .select(sql<string>`content->>'title'`.as('title'))
    .where('page_id', '=', pageId)
    .orderBy('number', 'desc')
    .limit(LISTED)
    .execute();
}
