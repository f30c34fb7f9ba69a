/** All SQL on settings: one row for each slug, and sealed secrets. */
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { SettingSecretsTable, SettingsTable } from '#platform/db/tables.generated.ts';

export type SettingsRow = Selectable<SettingsTable>;
export type SecretRow = Selectable<SettingSecretsTable>;

export async function findSettings(db: Db | Tx, slug: string): Promise<SettingsRow | undefined> {
  return db.selectFrom('settings').selectAll().where('slug', '=', slug).executeTakeFirst();
}

/** Locked against any change until the transaction ends; those that were never written cannot be. */
export async function lockSettings(tx: Tx, slug: string): Promise<SettingsRow | undefined> {
  return tx
    .selectFrom('settings')
    .selectAll()
    .where('slug', '=', slug)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Undefined when another admin was first. */
export async function insertSettings(
  tx: Tx,
  settings: Insertable<SettingsTable>,
): Promise<SettingsRow | undefined> {
  return tx
    .insertInto('settings')
    .values(settings)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** The caller holds the row's lock. */
export async function updateSettings(
  tx: Tx,
  slug: string,
  change: Updateable<SettingsTable>,
): Promise<SettingsRow | undefined> {
  return tx
    .updateTable('settings')
    .set(change)
    .where('slug', '=', slug)
    .returningAll()
    .executeTakeFirst();
}

export async function upsertSecret(tx: Tx, secret: Insertable<SettingSecretsTable>): Promise<void> {
  const { sealed, last_four, updated_by, updated_at } = secret;
  await tx
    .insertInto('setting_secrets')
    .values(secret)
    .onConflict((conflict) =>
      conflict
        .columns(['slug', 'name'])
        .doUpdateSet({ sealed, last_four, updated_by, ...(updated_at ? { updated_at } : {}) }),
    )
    .execute();
}

/** Whether there was one. */
export async function deleteSecret(tx: Tx, slug: string, name: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('setting_secrets')
    .where('slug', '=', slug)
    .where('name', '=', name)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function findSecret(
  db: Db | Tx,
  slug: string,
  name: string,
): Promise<SecretRow | undefined> {
  return db
    .selectFrom('setting_secrets')
    .selectAll()
    .where('slug', '=', slug)
    .where('name', '=', name)
    .executeTakeFirst();
}

export async function listSecrets(
  db: Db | Tx,
  slug: string,
): Promise<Pick<SecretRow, 'name' | 'last_four' | 'updated_at'>[]> {
  return db
    .selectFrom('setting_secrets')
    .select(['name', 'last_four', 'updated_at'])
    .where('slug', '=', slug)
    .orderBy('name')
    .execute();
}
