/** All SQL on `proofs`. Rows are inserted and never changed; they go when the law lets a person be forgotten. */
import type { Insertable, Selectable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { ProofsTable } from '#platform/exchange-tables.ts';

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

/** Which of these file names a row still speaks of. */
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

/** The names that rows speak of, in batches by id: `after` is the last batch's last id. */
export async function listNames(
  db: Db,
  after: Id,
  limit: number,
): Promise<{ id: Id; stored_name: string; view_name: string | null }[]> {
  return db
    .selectFrom('proofs')
    .select(['id', 'stored_name', 'view_name'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}
