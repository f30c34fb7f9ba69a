/** All SQL on pictures and their files. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { MediaFilesTable, MediaTable } from '#platform/db/tables.generated.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { isAfter, isFound, type ListAsk } from '#platform/db/time-list.ts';

type MediaRow = Selectable<MediaTable>;
export type FileRow = Selectable<MediaFilesTable>;
export type ShownRow = Omit<MediaRow, 'search' | 'created_by'> & {
  size_bytes: number;
};

export async function insertMedia(
  tx: Tx,
  media: Insertable<MediaTable>,
  files: readonly Insertable<MediaFilesTable>[],
): Promise<void> {
  await tx.insertInto('media').values(media).execute();
  await tx
    .insertInto('media_files')
    .values([...files])
    .execute();
}

function selectShown(db: Db | Tx) {
  return db
    .selectFrom('media as m')
    .select(['m.id', 'm.key', 'm.name', 'm.alt', 'm.width', 'm.height', 'm.fallback_format'])
    .select([
      'm.created_at',
      sql<number>`(select coalesce(sum(f.size_bytes), 0)::int from media_files f where f.media_id = m.id)`.as(
        'size_bytes',
      ),
    ]);
}

export async function findMedia(db: Db | Tx, id: Id): Promise<ShownRow | undefined> {
  return selectShown(db).where('m.id', '=', id).executeTakeFirst();
}

export async function findFallback(
  db: Db,
  key: string,
): Promise<MediaRow['fallback_format'] | undefined> {
  const row = await db
    .selectFrom('media')
    .select('fallback_format')
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.fallback_format;
}

/** The newest first. */
export async function listMedia(db: Db, { words, after, limit }: ListAsk): Promise<ShownRow[]> {
  const ids = db
    .selectFrom('media')
    .select('id')
    .where(isFound(words))
    .where(isAfter(after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  return selectShown(db)
    .where('m.id', 'in', ids)
    .orderBy('m.created_at', 'desc')
    .orderBy('m.id', 'desc')
    .execute();
}

export async function updateMedia(tx: Tx, id: Id, change: Updateable<MediaTable>): Promise<void> {
  await tx.updateTable('media').set(change).where('id', '=', id).execute();
}

export async function lockMedia(tx: Tx, id: Id): Promise<MediaRow | undefined> {
  return tx.selectFrom('media').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Answers the names of its files, to be removed after commit. */
export async function deleteMedia(tx: Tx, id: Id): Promise<string[]> {
  const files = await tx
    .deleteFrom('media_files')
    .where('media_id', '=', id)
    .returning('stored_name')
    .execute();
  await tx.deleteFrom('media').where('id', '=', id).execute();
  return files.map(({ stored_name }) => stored_name);
}

export async function findFile(
  db: Db,
  { key, width, format }: { key: string; width: number; format: FileRow['format'] },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('media_files as f')
    .innerJoin('media as m', 'm.id', 'f.media_id')
    .select('f.stored_name')
    .where('m.key', '=', key)
    .where('f.width', '=', width)
    .where('f.format', '=', format)
    .executeTakeFirst();
  return row?.stored_name;
}

/** Which of these file names a row still speaks of. */
export async function knownNames(db: Db, names: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('media_files')
    .select('stored_name')
    .where('stored_name', 'in', [...names])
    .execute();
  return new Set(rows.map(({ stored_name }) => stored_name));
}
