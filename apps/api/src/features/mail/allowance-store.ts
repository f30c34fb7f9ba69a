/** How many letters of each kind an address was written, by the hour. */
import { sql } from 'kysely';
import type { Db, Tx } from '#platform/database.ts';

/** Whose letters of which kind. */
export interface Counted {
  readonly hash: Buffer;
  readonly kind: string;
}

/** This hour's count, held until the transaction ends, and that of the hours since `since` before it. */
export async function lockCount(
  tx: Tx,
  { hash, kind }: Counted,
  hour: Date,
  since: Date,
): Promise<{ written: number; before: number }> {
  const { rows } = await sql<{ written: number }>`
    insert into letter_counts as known (recipient_hash, kind, hour) values (${hash}, ${kind}, ${hour})
    on conflict (recipient_hash, kind, hour) do update set written = known.written
    returning written`.execute(tx);
  const { before } = await tx
    .selectFrom('letter_counts')
    .select(sql<number>`coalesce(sum(written), 0)::int`.as('before'))
    .where('recipient_hash', '=', hash)
    .where('kind', '=', kind)
    .where('hour', '>', since)
    .where('hour', '<', hour)
    .executeTakeFirstOrThrow();
  return { written: rows[0]?.written ?? 0, before };
}

/** The hours since then in which letters were written. */
export async function listWritten(
  tx: Tx,
  { hash, kind }: Counted,
  since: Date,
): Promise<{ hour: Date; written: number }[]> {
  return tx
    .selectFrom('letter_counts')
    .select(['hour', 'written'])
    .where('recipient_hash', '=', hash)
    .where('kind', '=', kind)
    .where('hour', '>', since)
    .execute();
}

export async function updateCount(
  tx: Tx,
  { hash, kind }: Counted,
  hour: Date,
  what: 'written' | 'dropped',
): Promise<void> {
  await tx
    .updateTable('letter_counts')
    .set((count) => ({ [what]: count(what, '+', 1) }))
    .where('recipient_hash', '=', hash)
    .where('kind', '=', kind)
    .where('hour', '=', hour)
    .execute();
}

/** Counts one that was dropped with all else that its transaction did. */
export async function addDropped(db: Db, { hash, kind }: Counted, hour: Date): Promise<void> {
  await db
    .insertInto('letter_counts')
    .values({ recipient_hash: hash, kind, hour, dropped: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['recipient_hash', 'kind', 'hour'])
        .doUpdateSet((count) => ({ dropped: count('letter_counts.dropped', '+', 1) })),
    )
    .execute();
}

/** By kind, the most first. */
export async function listDropped(
  db: Db,
  since: Date,
): Promise<{ kind: string; letters: number }[]> {
  return db
    .selectFrom('letter_counts')
    .select(['kind', sql<number>`sum(dropped)::int`.as('letters')])
    .where('hour', '>', since)
    .where('dropped', '>', 0)
    .groupBy('kind')
    .orderBy('letters', 'desc')
    .orderBy('kind')
    .execute();
}

/** What was dropped and not told of yet; afterwards it counts as told. */
export async function takeUntold(tx: Tx): Promise<{ letters: number; addresses: number }> {
  const { rows } = await sql<{ letters: number; addresses: number }>`
    with untold as (
      select recipient_hash, kind, hour, dropped - told as more from letter_counts
      where told < dropped for update),
    said as (
      update letter_counts c set told = c.told + u.more from untold u
      where c.recipient_hash = u.recipient_hash and c.kind = u.kind and c.hour = u.hour)
    select coalesce(sum(more), 0)::int as letters,
      count(distinct recipient_hash)::int as addresses from untold`.execute(tx);
  return rows[0] ?? { letters: 0, addresses: 0 };
}

export async function deleteCountsBefore(tx: Tx, time: Date): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('letter_counts')
    .where('hour', '<', time)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
