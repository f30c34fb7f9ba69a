/** What is remembered of reconciliations, and what open exchanges account for in the ledger. */
import type { Reconciliation } from '@cambist/contract/reserves';
import { sql } from 'kysely';
import type { Db, Tx } from '#platform/database.ts';
import type { OpenHold } from '#features/ledger/ledger.ts';

/** Without any record yet nothing has been found wrong. */
export async function lastBalanced(db: Db | Tx): Promise<boolean> {
  const last = await db
    .selectFrom('reconciliations')
    .select('balanced')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.balanced ?? true;
}

export async function insertReconciliation(
  db: Db,
  { at, balanced, differences }: Reconciliation,
): Promise<void> {
  await db
    .insertInto('reconciliations')
    .values({ at: new Date(at), balanced, differences })
    .execute();
}

export async function deleteOlder(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('reconciliations').where('at', '<', before).execute();
}

/**
 * Payouts promised to open exchanges, and money of customers that came in and
 * is not converted yet: between approval and completion.
 */
export async function listOpenHolds(tx: Tx): Promise<OpenHold[]> {
  const { rows } = await sql<OpenHold>`
    select receive_currency_id as currency_id, sum(payout_minor) as held, 0::numeric(1) as owed
    from exchanges
    where state in ('awaiting_payment', 'payment_submitted', 'under_review', 'on_hold', 'approved')
    group by receive_currency_id
    union all
    select send_currency_id, sum(received_minor), sum(received_minor)
    from exchanges where state = 'approved' and received_minor is not null
    group by send_currency_id`.execute(tx);
  return rows;
}
