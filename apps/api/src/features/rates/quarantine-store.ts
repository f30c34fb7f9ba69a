/** SQL on `rate_quarantine`. */
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { RateQuarantineTable } from '#platform/db/tables.generated.ts';

export type QuarantineRow = Selectable<RateQuarantineTable>;

export async function findQuarantined(tx: Tx, id: Id): Promise<QuarantineRow | undefined> {
  return tx.selectFrom('rate_quarantine').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function listOpen(db: Db | Tx): Promise<QuarantineRow[]> {
  return db
    .selectFrom('rate_quarantine')
    .selectAll()
    .where('decision', 'is', null)
    .orderBy('unit')
    .execute();
}

export async function listRejected(db: Db | Tx, since: Date): Promise<QuarantineRow[]> {
  return db
    .selectFrom('rate_quarantine')
    .selectAll()
    .where('decision', '=', 'rejected')
    .where('decided_at', '>', since)
    .execute();
}

/** Open questions without an email, unless a withdrawn question of the unit had one since `since`. */
export async function listToEmail(tx: Tx, since: Date): Promise<QuarantineRow[]> {
  return tx
    .selectFrom('rate_quarantine as q')
    .selectAll('q')
    .where('q.decision', 'is', null)
    .where('q.emailed_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('rate_quarantine as w')
            .select('w.id')
            .whereRef('w.unit', '=', 'q.unit')
            .where('w.decision', '=', 'withdrawn')
            .where('w.emailed_at', '>', since),
        ),
      ),
    )
    .orderBy('q.unit')
    .execute();
}

/** One open question per unit: its figures are replaced; id, age and email stay. */
export async function upsertOpen(
  tx: Tx,
  rows: readonly Insertable<RateQuarantineTable>[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insertInto('rate_quarantine')
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .column('unit')
        .where('decision', 'is', null)
        .doUpdateSet((excluded) => ({
          base: excluded.ref('excluded.base'),
          rate: excluded.ref('excluded.rate'),
          inverted: excluded.ref('excluded.inverted'),
          provider: excluded.ref('excluded.provider'),
          as_of: excluded.ref('excluded.as_of'),
          reason: excluded.ref('excluded.reason'),
          previous_rate: excluded.ref('excluded.previous_rate'),
          change_percent: excluded.ref('excluded.change_percent'),
          seen_at: excluded.ref('excluded.seen_at'),
        })),
    )
    .execute();
}

export async function updateQuarantined(
  tx: Tx,
  ids: readonly Id[],
  change: Updateable<RateQuarantineTable>,
): Promise<void> {
  if (ids.length === 0) return;
  await tx.updateTable('rate_quarantine').set(change).where('id', 'in', ids).execute();
}

export async function deleteDecidedBefore(tx: Tx, before: Date): Promise<void> {
  await tx
    .deleteFrom('rate_quarantine')
    .where('decision', 'is not', null)
    .where('created_at', '<', before)
    .execute();
}
