/** SQL on `currencies` and `payee_accounts`. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { CurrenciesTable, PayeeAccountsTable } from '#platform/db/tables.generated.ts';

export type CurrencyRow = Selectable<CurrenciesTable>;
export type PayeeRow = Selectable<PayeeAccountsTable>;

export function listCurrencies(db: Db | Tx): Promise<CurrencyRow[]> {
  return db.selectFrom('currencies').selectAll().orderBy('position').orderBy('slug').execute();
}

export function findCurrency(db: Db | Tx, slug: string): Promise<CurrencyRow | undefined> {
  return db.selectFrom('currencies').selectAll().where('slug', '=', slug).executeTakeFirst();
}

export function lockCurrency(tx: Tx, slug: string): Promise<CurrencyRow | undefined> {
  return tx
    .selectFrom('currencies')
    .selectAll()
    .where('slug', '=', slug)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function insertCurrency(tx: Tx, row: Insertable<CurrenciesTable>): Promise<void> {
  await tx.insertInto('currencies').values(row).execute();
}

/** Raises the version. */
export async function updateCurrency(
  tx: Tx,
  id: string,
  changes: Updateable<CurrenciesTable>,
): Promise<void> {
  await tx
    .updateTable('currencies')
    .set({ ...changes, version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

export function listPayees(db: Db | Tx, currencyIds: readonly string[]): Promise<PayeeRow[]> {
  return db
    .selectFrom('payee_accounts')
    .selectAll()
    .where('currency_id', '=', sql<string>`any(${[...currencyIds]}::uuid[])`)
    .orderBy('currency_id')
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** The first active account, which customers pay to. */
export function findActivePayee(db: Db | Tx, currencyId: string): Promise<PayeeRow | undefined> {
  return db
    .selectFrom('payee_accounts')
    .selectAll()
    .where('currency_id', '=', currencyId)
    .where('active', '=', true)
    .orderBy('position')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** Exchanges have their own copy of a removed account. */
export async function replacePayees(
  tx: Tx,
  currencyId: string,
  rows: readonly Insertable<PayeeAccountsTable>[],
): Promise<void> {
  await tx
    .deleteFrom('payee_accounts')
    .where('currency_id', '=', currencyId)
    .where('id', '<>', sql<string>`all(${rows.map(({ id }) => id)}::uuid[])`)
    .execute();
  if (rows.length === 0) return;
  await tx
    .insertInto('payee_accounts')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((row) => ({
        label: row.ref('excluded.label'),
        details: row.ref('excluded.details'),
        instructions: row.ref('excluded.instructions'),
        qr_template: row.ref('excluded.qr_template'),
        active: row.ref('excluded.active'),
        position: row.ref('excluded.position'),
      })),
    )
    .execute();
}
