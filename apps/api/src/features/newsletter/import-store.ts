/** All SQL on imports of subscribers. */
import { sql, type Selectable } from 'kysely';
import type { SubscriberState } from '@cambist/contract/newsletter';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { SubscriberImportsTable } from '#platform/db/tables.generated.ts';
import type { Candidate } from './import-file.ts';

export type ImportRow = Selectable<SubscriberImportsTable>;

export async function insertImport(tx: Tx, values: ImportRow): Promise<void> {
  await tx.insertInto('subscriber_imports').values(values).execute();
}

export async function listImports(db: Db, limit: number): Promise<ImportRow[]> {
  return db
    .selectFrom('subscriber_imports')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** By address in lower case; those that are not there are left out. */
export async function findStates(
  db: Db | Tx,
  emails: readonly string[],
): Promise<Map<string, SubscriberState>> {
  const { rows } = await sql<{ email: string; state: SubscriberState }>`
    select lower(email) as email, state from subscribers
    where lower(email) = any(${[...emails]}::text[])`.execute(db);
  return new Map(rows.map(({ email, state }) => [email, state]));
}

/** Of these hashes those of deleted subscribers, in hexadecimal digits. */
export async function findForgotten(db: Db | Tx, hashes: readonly Buffer[]): Promise<Set<string>> {
  const { rows } = await sql<{ hash: string }>`
    select encode(email_hash, 'hex') as hash from forgotten_subscribers
    where encode(email_hash, 'hex') = any(
      ${hashes.map((hash) => hash.toString('hex'))}::text[])`.execute(db);
  return new Set(rows.map(({ hash }) => hash));
}

/** Answers how many were not there yet. */
export async function insertImported(
  tx: Tx,
  importId: Id,
  now: Date,
  candidates: readonly Candidate[],
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into subscribers (id, email, locale, state, source, import_id, asked_at, confirmed_at)
    select uuidv7(), email, language, 'confirmed', 'import', ${importId}, ${now}, ${now}
    from jsonb_to_recordset(${JSON.stringify(candidates)}::text::jsonb)
      as each (email text, language text)
    on conflict do nothing`.execute(tx);
  return Number(numAffectedRows);
}
