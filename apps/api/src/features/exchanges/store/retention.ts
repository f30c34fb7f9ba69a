/** SQL of the erasure of personal data in exchanges. */
import { sql } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Tx } from '#platform/db/database.ts';

/** Nothing was paid or submitted. */
const UNPAID = ['cancelled', 'expired'] as const;

export async function listUnpaidOf(tx: Tx, userId: Id): Promise<Id[]> {
  const rows = await tx
    .selectFrom('exchanges')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', 'in', [...UNPAID])
    .execute();
  return rows.map(({ id }) => id);
}

/** Not yet erased exchanges of deleted accounts that ended before this time. */
export async function listOutdated(tx: Tx, before: Date, limit: number): Promise<Id[]> {
  const rows = await tx
    .selectFrom('exchanges as e')
    .innerJoin('users as u', 'u.id', 'e.user_id')
    .select('e.id')
    .where('u.deleted_at', 'is not', null)
    .where('e.state_changed_at', '<', before)
    .where(sql<boolean>`e.payout_fields <> '[]'::jsonb`)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Locks exchanges with proofs that ended unpaid more than `days` ago, without locked ones. */
export async function lockUnpaidWithProofs(tx: Tx, days: number, limit: number): Promise<Id[]> {
  const rows = await tx
    .selectFrom('exchanges as e')
    .select('e.id')
    .where('e.state', 'in', [...UNPAID])
    .where('e.received_minor', '=', 0n)
    .where('e.state_changed_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('proofs as p').select('p.id').whereRef('p.exchange_id', '=', 'e.id')),
    )
    .orderBy('e.id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map(({ id }) => id);
}

/** Account numbers, names and free text of customers, also in the records of money. */
export async function eraseAnswers(tx: Tx, ids: readonly Id[]): Promise<void> {
  await tx
    .updateTable('exchanges')
    .set({
      payout_fields: [],
      payout_history: [],
      payout_account_key: null,
      sender_fields: [],
      payment_reference: null,
    })
    .where('id', 'in', [...ids])
    .execute();
  const all = [...ids];
  const of = 'exchange_id';
  await tx.updateTable('exchange_receipts').set({ payer: null }).where(of, 'in', all).execute();
  await tx.updateTable('exchange_payouts').set({ account: [] }).where(of, 'in', all).execute();
  await tx
    .updateTable('exchange_refunds')
    .set({ account: '', account_before: null })
    .where(of, 'in', all)
    .where('account', 'is not', null)
    .execute();
  await tx
    .updateTable('exchange_questions')
    .set({ text: '', answer: null })
    .where(of, 'in', all)
    .execute();
  await tx.updateTable('exchange_messages').set({ text: '' }).where(of, 'in', all).execute();
}
