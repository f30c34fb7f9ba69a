/** SQL on `reserve_alerts`. */
import type { PublicCurrency } from '@cambist/contract/currencies';
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { ReserveAlertsTable } from '#platform/db/tables.generated.ts';

type AlertRow = Selectable<ReserveAlertsTable>;

/** An alert with its pair and the currency to be paid out. */
export interface Alert extends AlertRow {
  readonly pair: string;
  readonly receive: PublicCurrency;
}

const byEmail = (email: string) => sql<boolean>`lower(email) = ${email.toLowerCase()}`;

export async function countOf(tx: Tx, email: string): Promise<number> {
  const { count } = await tx
    .selectFrom('reserve_alerts')
    .select((column) => column.fn.countAll<number>().as('count'))
    .where(byEmail(email))
    .executeTakeFirstOrThrow();
  return count;
}

/** Undefined where the address has it already. */
export async function insertAlert(
  tx: Tx,
  row: Insertable<ReserveAlertsTable>,
): Promise<{ id: Id } | undefined> {
  return tx
    .insertInto('reserve_alerts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
}

/** The alert asked for before this time and not confirmed waits anew. */
export async function renewAlert(
  tx: Tx,
  { email, pair_id, amount_minor }: Pick<AlertRow, 'email' | 'pair_id' | 'amount_minor'>,
  { before, ...times }: { before: Date; asked_at: Date; ends_at: Date },
): Promise<{ id: Id } | undefined> {
  return tx
    .updateTable('reserve_alerts')
    .set(times)
    .where(byEmail(email))
    .where('pair_id', '=', pair_id)
    .where('amount_minor', '=', amount_minor)
    .where('confirmed_at', 'is', null)
    .where('asked_at', '<=', before)
    .returning('id')
    .executeTakeFirst();
}

export async function findAlert(db: Db, id: Id, now: Date): Promise<Alert | undefined> {
  return alerts(db).where('a.id', '=', id).where('a.ends_at', '>', now).executeTakeFirst();
}

const alerts = (db: Db | Tx) =>
  db
    .selectFrom('reserve_alerts as a')
    .innerJoin('pairs as p', 'p.id', 'a.pair_id')
    .innerJoin('currencies as r', 'r.id', 'p.receive_currency_id')
    .selectAll('a')
    .select(['p.slug as pair', sql<PublicCurrency>`to_jsonb(r)`.as('receive')]);

/** False where there is none that waits. Twice is the same. */
export async function confirmAlert(
  db: Db,
  id: Id,
  { now, ends_at }: { now: Date; ends_at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reserve_alerts')
    .set({
      confirmed_at: sql`coalesce(confirmed_at, ${now})`,
      ends_at: sql`case when confirmed_at is null then ${ends_at}::timestamptz else ends_at end`,
    })
    .where('id', '=', id)
    .where('ends_at', '>', now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Locks confirmed alerts of open pairs whose amount the reserve covers, without locked ones. */
export async function lockPayable(tx: Tx, now: Date, limit: number): Promise<Alert[]> {
  return alerts(tx)
    .innerJoin('currencies as s', 's.id', 'p.send_currency_id')
    .innerJoin('ledger_accounts as l', 'l.currency_id', 'r.id')
    .where('l.kind', '=', 'available')
    .whereRef('l.balance', '>=', 'a.amount_minor')
    .where('a.confirmed_at', 'is not', null)
    .where('a.ends_at', '>', now)
    .where(({ eb, or }) =>
      or([eb('a.postponed_until', 'is', null), eb('a.postponed_until', '<=', now)]),
    )
    .where(({ and, eb }) =>
      and(['p', 's', 'r'].map((of) => eb(sql.ref(`${of}.active`), '=', true))),
    )
    .orderBy('a.asked_at')
    .limit(limit)
    .forUpdate('a')
    .skipLocked()
    .execute();
}

export async function postpone(tx: Tx, id: Id, until: Date): Promise<void> {
  await tx
    .updateTable('reserve_alerts')
    .set({ postponed_until: until })
    .where('id', '=', id)
    .execute();
}

export async function deleteAlert(tx: Tx, id: Id): Promise<void> {
  await tx.deleteFrom('reserve_alerts').where('id', '=', id).execute();
}

export async function deleteEnded(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('reserve_alerts').where('ends_at', '<=', now).execute();
}

export async function deleteAlertsTo(tx: Tx, email: string): Promise<void> {
  await tx.deleteFrom('reserve_alerts').where(byEmail(email)).execute();
}
