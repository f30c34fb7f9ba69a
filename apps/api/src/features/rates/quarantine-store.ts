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
