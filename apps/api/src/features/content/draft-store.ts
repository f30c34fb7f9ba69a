/** All SQL on revisions. */
import type { Selectable } from 'kysely';
import type { ContentRevisionsTable } from '#platform/db/tables.generated.ts';
import type { Db, Tx } from '#platform/db/database.ts';

export interface Subject {
  readonly kind: ContentRevisionsTable['subject_kind'];
  /** A post's or page's id, the slug of settings. */
  readonly id: string;
}
type RevisionRow = Selectable<ContentRevisionsTable>;
const heads = ['number', 'reason', 'author_id', 'author_name', 'at'] as const;
export type RevisionHead = Pick<RevisionRow, (typeof heads)[number]>;

function ofSubject(db: Db | Tx, { kind, id }: Subject) {
  return db
    .selectFrom('content_revisions')
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .orderBy('number', 'desc');
}

export async function findLastRevision(tx: Tx, subject: Subject): Promise<RevisionRow | undefined> {
  return ofSubject(tx, subject).selectAll().limit(1).executeTakeFirst();
}

/** Who published the subject last. */
export async function findLastPublication(
  db: Db | Tx,
  subject: Subject,
): Promise<RevisionHead | undefined> {
  return ofSubject(db, subject)
    .select(heads)
    .where('reason', '=', 'published')
    .limit(1)
    .executeTakeFirst();
}

export async function findRevision(
  db: Db | Tx,
  subject: Subject,
  number: number,
): Promise<RevisionRow | undefined> {
  return ofSubject(db, subject).selectAll().where('number', '=', number).executeTakeFirst();
}

/** The latest first, from below this number. */
export async function listRevisions(
  db: Db,
  subject: Subject,
  below: number,
  limit: number,
): Promise<RevisionHead[]> {
  return ofSubject(db, subject).select(heads).where('number', '<', below).limit(limit).execute();
}

export async function insertRevision(tx: Tx, revision: RevisionRow): Promise<void> {
  await tx.insertInto('content_revisions').values(revision).execute();
}

export async function updateRevision(
  tx: Tx,
  { kind, id }: Subject,
  number: number,
  change: Pick<RevisionRow, 'content' | 'at'>,
): Promise<void> {
  await tx
    .updateTable('content_revisions')
    .set(change)
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .where('number', '=', number)
    .execute();
}

export async function deleteRevisions(tx: Tx, { kind, id }: Subject): Promise<void> {
  await tx
    .deleteFrom('content_revisions')
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .execute();
}
