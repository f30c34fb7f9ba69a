/** SQL of the views that operators named. */
import type { DeskViewFilters } from '@cambist/contract/desk-views';
import { sql } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';

export async function listViews(db: Db | Tx, operatorId: Id) {
  return db
    .selectFrom('exchange_views')
    .select(['id', 'name', 'filters'])
    .where('operator_id', '=', operatorId)
    .orderBy(sql`lower(name)`)
    .execute();
}

/** What the list can be filtered by, by name. */
export async function listChoices(db: Db) {
  const pairs = await db
    .selectFrom('pairs as p')
    .innerJoin('currencies as s', 's.id', 'p.send_currency_id')
    .innerJoin('currencies as r', 'r.id', 'p.receive_currency_id')
    .select(['p.slug', 's.name as send', 'r.name as receive'])
    .orderBy('s.name')
    .orderBy('r.name')
    .execute();
  const operators = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('role', '=', sql<'admin'>`'admin'`)
    .where(sql<boolean>`'desk' = any(permissions)`)
    .orderBy('name')
    .execute();
  return { pairs, operators };
}

/** For a correct number of views. */
export async function lockViews(tx: Tx, operatorId: Id): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`exchange views of ${operatorId}`}, 0))`.execute(
    tx,
  );
}

export async function insertView(
  tx: Tx,
  view: { id: Id; operator_id: Id; name: string; filters: DeskViewFilters },
): Promise<void> {
  await tx.insertInto('exchange_views').values(view).execute();
}

export async function updateViewName(
  db: Db,
  { id, operatorId, name }: { id: Id; operatorId: Id; name: string },
) {
  return db
    .updateTable('exchange_views')
    .set({ name })
    .where('id', '=', id)
    .where('operator_id', '=', operatorId)
    .returning(['id', 'name', 'filters'])
    .executeTakeFirst();
}

export async function deleteView(db: Db, id: Id, operatorId: Id): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('exchange_views')
    .where('id', '=', id)
    .where('operator_id', '=', operatorId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteViewsOf(tx: Tx, operatorId: Id): Promise<void> {
  await tx.deleteFrom('exchange_views').where('operator_id', '=', operatorId).execute();
}
