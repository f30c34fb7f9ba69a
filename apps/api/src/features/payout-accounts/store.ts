/** SQL on `payout_accounts`. */
import type { Insertable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { PayoutAccountsTable } from '#platform/db/tables.generated.ts';

/** With their currencies, the newest first. */
export function listAccounts(db: Db | Tx, userId: Id) {
  return db
    .selectFrom('payout_accounts as a')
    .innerJoin('currencies as c', 'c.id', 'a.currency_id')
    .select(['a.id', 'a.label', 'a.fields', 'c.payout_fields'])
    .select(['c.slug', 'c.unit', 'c.name', 'c.symbol', 'c.channel', 'c.kind', 'c.decimals'])
    .where('a.user_id', '=', userId)
    .orderBy('a.created_at', 'desc')
    .orderBy('a.id', 'desc')
    .execute();
}

export async function insertAccount(tx: Tx, row: Insertable<PayoutAccountsTable>): Promise<void> {
  await tx.insertInto('payout_accounts').values(row).execute();
}

export async function updateLabel(db: Db, userId: Id, id: Id, label: string): Promise<void> {
  const own = db.updateTable('payout_accounts').where('user_id', '=', userId);
  await own.set({ label }).where('id', '=', id).execute();
}

/** All of the user's, or one; false where there is none. */
export async function deleteAccountsOf(tx: Tx, userId: Id, id?: Id): Promise<boolean> {
  const own = tx.deleteFrom('payout_accounts').where('user_id', '=', userId);
  const { numDeletedRows } = await (id ? own.where('id', '=', id) : own).executeTakeFirst();
  return numDeletedRows > 0n;
}
