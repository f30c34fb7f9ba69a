/**
 * SQL on `proofs` and `proof_uploads`. Rows are never changed; `exchanges/retention.ts` deletes those
 * of proofs, and those of uploads are deleted after a day.
 */
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { ProofsTable } from '#platform/db/tables.generated.ts';

export type ProofRow = Selectable<ProofsTable>;

export async function insertProof(tx: Tx, row: Insertable<ProofsTable>): Promise<ProofRow> {
  return tx.insertInto('proofs').values(row).returningAll().executeTakeFirstOrThrow();
}

export async function listProofs(db: Db, exchangeId: Id): Promise<ProofRow[]> {
  return db
    .selectFrom('proofs')
    .selectAll()
    .where('exchange_id', '=', exchangeId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function findProof(db: Db, id: Id): Promise<ProofRow | undefined> {
  return db.selectFrom('proofs').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function deleteProofsOf(tx: Tx, exchangeIds: readonly Id[]): Promise<ProofRow[]> {
  return tx
    .deleteFrom('proofs')
    .where('exchange_id', 'in', [...exchangeIds])
    .returningAll()
    .execute();
}

/** The names that have a row. */
export async function knownNames(db: Db, names: readonly string[]): Promise<Set<string>> {
  const list = [...names];
  const rows = await db
    .selectFrom('proofs')
    .select(['stored_name', 'view_name'])
    .where((either) =>
      either.or([either('stored_name', 'in', list), either('view_name', 'in', list)]),
    )
    .execute();
  return new Set(
    rows.flatMap((row) => [row.stored_name, row.view_name]).filter((name) => name !== null),
  );
}

/** The names of the files of all proofs. */
export async function listNames(
  db: Db,
): Promise<{ id: Id; stored_name: string; view_name: string | null }[]> {
  return db.selectFrom('proofs').select(['id', 'stored_name', 'view_name']).execute();
}

/** A user's uploads of the last 24 hours, by the database's clock. */
export interface RecentUploads {
  readonly files: number;
  readonly bytes: number;
  /** Until the oldest of them no longer counts. */
  readonly secondsLeft: number;
}

/** Serialises a user's uploads until the end of the transaction, for a correct count. */
export async function lockRecentUploads(tx: Tx, userId: Id): Promise<RecentUploads> {
  const lock = `proof uploads of ${userId}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
  const { rows } = await sql<RecentUploads>`
    select count(*)::integer as files,
      coalesce(sum(size_bytes), 0)::float8 as bytes,
      coalesce(ceil(extract(epoch from min(received_at) + interval '24 hours' - clock_timestamp())), 0)::integer
        as "secondsLeft"
    from proof_uploads
    where user_id = ${userId} and received_at > clock_timestamp() - interval '24 hours'`.execute(
    tx,
  );
  const [row] = rows;
  if (!row) throw new Error('The aggregate returned no row.');
  return row;
}

export async function insertUpload(tx: Tx, userId: Id, sizeBytes: number): Promise<void> {
  await tx.insertInto('proof_uploads').values({ user_id: userId, size_bytes: sizeBytes }).execute();
}

export async function deleteOldUploads(db: Db): Promise<void> {
  await db
    .deleteFrom('proof_uploads')
    .where('received_at', '<', sql<Date>`clock_timestamp() - interval '24 hours'`)
    .execute();
}
