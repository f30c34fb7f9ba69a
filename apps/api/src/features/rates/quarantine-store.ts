/** What is remembered of rates that moved too far: all SQL on `rate_quarantine`. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { RateQuarantineTable } from '#platform/rate-tables.ts';

type Row = Selectable<RateQuarantineTable>;
export type QuarantineRow = Row & { readonly decider: string | null };

const select = (db: Db | Tx) =>
  db
    .selectFrom('rate_quarantine as q')
    .leftJoin('users as u', 'u.id', 'q.decided_by')
    .selectAll('q')
    .select('u.name as decider');

/** Those that wait first, then the newest. */
export async function listQuarantine(db: Db, limit: number): Promise<QuarantineRow[]> {
  return select(db)
    .orderBy(sql`q.decision is not null`)
    .orderBy('q.created_at', 'desc')
    .orderBy('q.id', 'desc')
    .limit(limit)
    .execute();
}

export async function findQuarantined(db: Db | Tx, id: Id): Promise<QuarantineRow | undefined> {
  return select(db).where('q.id', '=', id).executeTakeFirst();
}

export async function listWaiting(db: Db | Tx): Promise<Row[]> {
  return db
    .selectFrom('rate_quarantine')
    .selectAll()
    .where('decision', 'is', null)
    .orderBy('unit')
    .execute();
}

/**
 * Those that wait and no letter has told of. One that came back since `since`, after a run had
 * withdrawn it and without anybody's decision, is the same question once more.
 */
export async function listUntold(tx: Tx, since: Date): Promise<Row[]> {
  return tx
    .selectFrom('rate_quarantine as q')
    .selectAll('q')
    .where('q.decision', 'is', null)
    .where('q.told_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('rate_quarantine as before')
            .select('before.id')
            .whereRef('before.unit', '=', 'q.unit')
            .where('before.decision', '=', 'withdrawn')
            .where('before.told_at', '>', since),
        ),
      ),
    )
    .orderBy('q.unit')
    .execute();
}

export async function markTold(tx: Tx, ids: readonly Id[], now: Date): Promise<void> {
  await tx.updateTable('rate_quarantine').set({ told_at: now }).where('id', 'in', ids).execute();
}

/** The last rate of each unit that an admin refused. */
export async function listRefused(db: Db | Tx): Promise<Row[]> {
  return db
    .selectFrom('rate_quarantine')
    .selectAll()
    .distinctOn('unit')
    .where('decision', '=', 'refused')
    .orderBy('unit')
    .orderBy('decided_at', 'desc')
    .execute();
}

export async function insertQuarantined(
  tx: Tx,
  row: Insertable<RateQuarantineTable>,
): Promise<void> {
  await tx.insertInto('rate_quarantine').values(row).execute();
}

export async function updateQuarantined(
  tx: Tx,
  id: Id,
  change: Updateable<RateQuarantineTable>,
): Promise<void> {
  await tx.updateTable('rate_quarantine').set(change).where('id', '=', id).execute();
}

export async function withdraw(tx: Tx, units: readonly string[], now: Date): Promise<void> {
  if (units.length === 0) return;
  await tx
    .updateTable('rate_quarantine')
    .set({ decision: 'withdrawn', decided_at: now })
    .where('decision', 'is', null)
    .where('unit', 'in', units)
    .execute();
}

export async function deleteDecidedBefore(tx: Tx, before: Date): Promise<void> {
  await tx
    .deleteFrom('rate_quarantine')
    .where('decision', 'is not', null)
    .where('created_at', '<', before)
    .execute();
}
