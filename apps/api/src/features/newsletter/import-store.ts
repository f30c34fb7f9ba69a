/** All SQL on imports and on the addresses between a file and the subscribers. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/database.ts';
import type {
  SubscriberImportRowsTable,
  SubscriberImportsTable,
} from '#platform/tables.generated.ts';

export type ImportRow = Selectable<SubscriberImportsTable>;

export async function insertImport(
  tx: Tx,
  values: Insertable<SubscriberImportsTable>,
): Promise<void> {
  await tx.insertInto('subscriber_imports').values(values).execute();
}

export async function findImport(db: Db | Tx, id: Id): Promise<ImportRow | undefined> {
  return db.selectFrom('subscriber_imports').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function lockImport(tx: Tx, id: Id): Promise<ImportRow | undefined> {
  return tx
    .selectFrom('subscriber_imports')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function listImports(db: Db, limit: number): Promise<ImportRow[]> {
  return db
    .selectFrom('subscriber_imports')
    .selectAll()
    .where('state', '<>', 'dropped')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function updateImport(
  tx: Db | Tx,
  id: Id,
  change: Updateable<SubscriberImportsTable>,
): Promise<void> {
  await tx.updateTable('subscriber_imports').set(change).where('id', '=', id).execute();
}

/** Answers how many were not in the file before. */
export async function insertRows(
  tx: Tx,
  rows: readonly SubscriberImportRowsTable[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('subscriber_import_rows')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows);
}

export async function deleteRows(tx: Tx, importId: Id): Promise<void> {
  await tx.deleteFrom('subscriber_import_rows').where('import_id', '=', importId).execute();
}

export interface Judgement {
  readonly added: number;
  readonly known: number;
  readonly left_before: number;
}

/** What writing all of it would do. */
export async function judgeRows(tx: Tx, importId: Id): Promise<Judgement> {
  const { rows } = await sql<Judgement>`
    select
      count(*) filter (where s.id is null and f.email_hash is null)::int as added,
      count(*) filter (where s.state <> 'left')::int as known,
      count(*) filter (where s.state = 'left' or (s.id is null and f.email_hash is not null))::int
        as left_before
    from subscriber_import_rows r
    left join subscribers s on lower(s.email) = lower(r.email)
    left join forgotten_subscribers f on f.email_hash = r.email_hash
    where r.import_id = ${importId}`.execute(tx);
  return rows[0] ?? { added: 0, known: 0, left_before: 0 };
}

/** Writes the rows after `line`; null when there are none. Who is there already is left as they are. */
export async function writeRows(
  tx: Tx,
  { importId, line, limit, now }: { importId: Id; line: number; limit: number; now: Date },
): Promise<(Judgement & { readonly line: number }) | null> {
  const { rows } = await sql<Judgement & { line: number | null }>`
    with batch as (
      select * from subscriber_import_rows
      where import_id = ${importId} and line > ${line} order by line limit ${limit}),
    judged as (
      select b.line, b.email, b.locale, s.state, f.email_hash is not null as forgotten from batch b
      left join subscribers s on lower(s.email) = lower(b.email)
      left join forgotten_subscribers f on f.email_hash = b.email_hash),
    added as (
      insert into subscribers (id, email, locale, state, source, import_id, asked_at, confirmed_at)
      select uuidv7(), email, locale, 'confirmed', 'import', ${importId}, ${now}, ${now} from judged
      where state is null and not forgotten
      -- Of one time, lists sort them by their identifiers: those are made in the order of the lines.
      order by line
      on conflict do nothing returning 1)
    select
      (select count(*)::int from added) as added,
      count(*) filter (where state <> 'left')::int as known,
      count(*) filter (where state = 'left' or (state is null and forgotten))::int as left_before,
      (select max(line) from batch) as line
    from judged`.execute(tx);
  const [done] = rows;
  return done === undefined || done.line === null ? null : { ...done, line: done.line };
}

/** Of these files: those that are still to be read. */
export async function unreadNames(db: Db, names: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('subscriber_imports')
    .select('stored_name')
    .where('state', '=', 'reading')
    .where('stored_name', 'in', [...names])
    .execute();
  return new Set(rows.flatMap(({ stored_name }) => stored_name ?? []));
}

/** What nobody has decided on, or could be read to its end. */
export async function listUndecided(db: Db, before: Date): Promise<Id[]> {
  const rows = await db
    .selectFrom('subscriber_imports')
    .select('id')
    .where('state', 'in', ['reading', 'ready'])
    .where('created_at', '<', before)
    .execute();
  return rows.map(({ id }) => id);
}
