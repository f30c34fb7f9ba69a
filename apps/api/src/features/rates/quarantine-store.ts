/** What is remembered of rates that moved too far: all SQL on `rate_quarantine`. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { ToldJson } from '#platform/json-columns.ts';
import type { RateQuarantineTable } from '#platform/tables.generated.ts';

type Row = Selectable<RateQuarantineTable>;
export type QuarantineRow = Row & { readonly decider: string | null };

const select = (db: Db | Tx) =>
  db
    .selectFrom('rate_quarantine as q')
    .leftJoin('users as u', 'u.id', 'q.decided_by')
    .selectAll('q')
    .select('u.name as decider');

/**
 * Those that wait first, then those that were decided last, the newest first; of one time, by their units.
 * Beyond the limit what was refused since: a no that still weighs can be taken back only where it is listed.
 */
export async function listQuarantine(db: Db, limit: number, since: Date): Promise<QuarantineRow[]> {
  const ordered = select(db)
    .orderBy(sql`q.decision is not null`)
    .orderBy('q.decided_at', 'desc')
    .orderBy('q.unit')
    .orderBy('q.created_at', 'desc')
    .orderBy('q.id', 'desc');
  const first = ordered.clearSelect().select('q.id').limit(limit);
  return ordered
    .where(({ or, and, eb }) =>
      or([
        eb('q.id', 'in', first),
        and([eb('q.decision', '=', 'refused'), eb('q.decided_at', '>', since)]),
      ]),
    )
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

/** Those that wait and no letter has told of. */
export async function listUntold(tx: Tx): Promise<Row[]> {
  return tx
    .selectFrom('rate_quarantine')
    .selectAll()
    .where('decision', 'is', null)
    .where('told_at', 'is', null)
    .orderBy('unit')
    .execute();
}

/** What letters told of since, a run withdrew, and nobody has said anything of its question after the letter. */
export async function listToldAndGone(tx: Tx, since: Date): Promise<Row[]> {
  return tx
    .selectFrom('rate_quarantine as q')
    .selectAll('q')
    .where('q.decision', '=', 'withdrawn')
    .where('q.told_at', '>', since)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('rate_quarantine as word')
            .select('word.id')
            .where(({ or, and, eb, ref }) =>
              or([
                eb('word.unit', '=', ref('q.unit')),
                and([eb('word.unit', '=', ref('q.base')), eb('word.base', '=', ref('q.unit'))]),
              ]),
            )
            // A no that was taken back is withdrawn too, by a person.
            .where('word.decided_by', 'is not', null)
            .whereRef('word.decided_at', '>', 'q.told_at'),
        ),
      ),
    )
    .execute();
}

export async function markTold(tx: Tx, ids: readonly Id[], now: Date): Promise<void> {
  // A run may replace the figure while it waits, and that one was told to nobody.
  const told = sql<ToldJson>`jsonb_build_object('base', base, 'rate', rate::text, 'inverted', inverted)`;
  await tx
    .updateTable('rate_quarantine')
    .set({ told_at: now, told })
    .where('id', 'in', ids)
    .execute();
}

/** What admins decided since, the newest first. */
export async function listDecided(db: Db | Tx, since = new Date(0)): Promise<Row[]> {
  return db
    .selectFrom('rate_quarantine')
    .selectAll()
    .where('decision', 'in', ['accepted', 'refused'])
    .where('decided_at', '>', since)
    .orderBy('decided_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** The last rate of each unit that an admin refused since. */
export async function listRefused(db: Db | Tx, since: Date): Promise<Row[]> {
  return db
    .selectFrom('rate_quarantine')
    .selectAll()
    .distinctOn('unit')
    .where('decision', '=', 'refused')
    .where('decided_at', '>', since)
    .orderBy('unit')
    .orderBy('decided_at', 'desc')
    .execute();
}

/** At most one of a unit waits: its figure is replaced, and what it was asked and told under stays. */
export async function upsertWaiting(
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
          rate: excluded.ref('excluded.rate'),
          provider: excluded.ref('excluded.provider'),
          as_of: excluded.ref('excluded.as_of'),
          reason: excluded.ref('excluded.reason'),
          previous_rate: excluded.ref('excluded.previous_rate'),
          former_rate: excluded.ref('excluded.former_rate'),
          change_percent: excluded.ref('excluded.change_percent'),
          contradicted_by: excluded.ref('excluded.contradicted_by'),
          opinions: excluded.ref('excluded.opinions'),
          seen_at: excluded.ref('excluded.seen_at'),
        })),
    )
    .execute();
}

export async function updateQuarantined(
  tx: Tx,
  id: Id,
  change: Updateable<RateQuarantineTable>,
): Promise<void> {
  await tx.updateTable('rate_quarantine').set(change).where('id', '=', id).execute();
}

export async function withdraw(tx: Tx, ids: readonly Id[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('rate_quarantine')
    .set({ decision: 'withdrawn', decided_at: now })
    .where('decision', 'is', null)
    .where('id', 'in', ids)
    .execute();
}

export async function deleteDecidedBefore(tx: Tx, before: Date): Promise<void> {
  await tx
    .deleteFrom('rate_quarantine')
    .where('decision', 'is not', null)
    .where('created_at', '<', before)
    .execute();
}
