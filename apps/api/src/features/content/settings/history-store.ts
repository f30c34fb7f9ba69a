/** The rows of what was done to settings; they are only ever added. */
import type { Insertable, Selectable } from 'kysely';
import type { Db, Tx } from '#platform/database.ts';
import type { SettingChangesTable } from '#platform/tables.generated.ts';
import type { Written } from './steps.ts';

export type ChangeRow = Selectable<SettingChangesTable>;

export async function insertChange(tx: Tx, change: Insertable<SettingChangesTable>): Promise<void> {
  await tx.insertInto('setting_changes').values(change).execute();
}

/** The latest first, from below this id. */
export async function listChanges(
  db: Db,
  slug: string,
  below: number,
  limit: number,
): Promise<ChangeRow[]> {
  return db
    .selectFrom('setting_changes')
    .selectAll()
    .where('slug', '=', slug)
    .where('id', '<', below)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** All of them, the oldest first; nothing of their values is read or compared for it. */
export async function listWritings(db: Db, slug: string): Promise<Written[]> {
  const rows = await db
    .selectFrom('setting_changes')
    .select(['version', 'restored', 'chosen', 'same'])
    .select((eb) => eb('before', 'is not', null).as('kept'))
    .where('slug', '=', slug)
    .where('version', 'is not', null)
    .orderBy('version')
    .$narrowType<{ version: number; kept: boolean }>()
    .execute();
  return rows;
}

export async function findChange(
  db: Db,
  slug: string,
  version: number,
): Promise<ChangeRow | undefined> {
  return db
    .selectFrom('setting_changes')
    .selectAll()
    .where('slug', '=', slug)
    .where('version', '=', version)
    .executeTakeFirst();
}
