/** SQL on `payout_accounts`. */
import type { Insertable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { PayoutAccountsTable } from '#platform/db/tables.generated.ts';

interface Own {
  readonly id: Id;
  readonly user_id: Id;
}

export const listAccounts = (db: Db | Tx, userId: Id) => selectAccounts(db, userId).execute();

export const findAccount = (db: Db | Tx, { id, user_id }: Own) =>
  selectAccounts(db, user_id).where('a.id', '=', id).executeTakeFirst();

/** With their currencies, the newest first. */
function selectAccounts(db: Db | Tx, userId: Id) {
  return db
    .selectFrom('payout_accounts as a')
    .innerJoin('currencies as c', 'c.id', 'a.currency_id')
    .select(['a.id', 'a.label', 'a.fields', 'c.payout_fields'])
    .select(['c.slug', 'c.unit', 'c.name', 'c.symbol', 'c.channel', 'c.kind', 'c.decimals'])
    .where('a.user_id', '=', userId)
    .orderBy('a.created_at', 'desc')
    .orderBy('a.id', 'desc');
}

export async function insertAccount(tx: Tx, row: Insertable<PayoutAccountsTable>): Promise<void> {
  await tx.insertInto('payout_accounts').values(row).execute();
}

export async function updateLabel(db: Db, { id, user_id }: Own, label: string): Promise<void> {
  await db
    .updateTable('payout_accounts')
    .set({ label })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .execute();
}

/** False where there is none, or it is another user's. */
export async function deleteAccount(tx: Tx, { id, user_id }: Own): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('payout_accounts')
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteAccountsOf(tx: Tx, userId: Id): Promise<void> {
  await tx.deleteFrom('payout_accounts').where('user_id', '=', userId).execute();
}
