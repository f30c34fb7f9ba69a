/** All SQL on messages to the desk and what was written about them. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { MessageState } from '@cambist/contract/contact';
import type { Id } from '#kernel/id.ts';
import type {
  ContactEntriesTable,
  ContactSubmissionsTable,
} from '#platform/db/tables.generated.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { isAfter, isFound, type ListAsk } from '#platform/db/time-list.ts';

export type SubmissionRow = Omit<Selectable<ContactSubmissionsTable>, 'search' | 'entry_words'>;
export type EntryRow = Selectable<ContactEntriesTable>;

const columns = [
  'id',
  'number',
  'name',
  'email',
  'topic',
  'exchange_number',
  'message',
  'state',
  'suspected',
  'version',
  'created_at',
] as const;

export async function insertSubmission(
  tx: Tx,
  submission: Insertable<ContactSubmissionsTable>,
): Promise<SubmissionRow> {
  return tx
    .insertInto('contact_submissions')
    .values(submission)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

type Asked = ListAsk<MessageState> & { readonly number: string | null };

/** Without a state all but spam, and what is asked for by its number among spam too. */
export async function listSubmissions(
  db: Db,
  { state, words, number, after, limit }: Asked,
): Promise<SubmissionRow[]> {
  const isNumbered = number === null ? sql`false` : sql`number = ${number}`;
  return db
    .selectFrom('contact_submissions')
    .select(columns)
    .where(
      state === undefined
        ? sql<boolean>`(state <> 'spam' or ${isNumbered})`
        : sql<boolean>`state = ${state}`,
    )
    .where(sql<boolean>`(${isFound(words)} or ${isNumbered})`)
    .where(isAfter(after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Those that name the exchange, oldest first, without spam. */
export async function listAbout(
  db: Db | Tx,
  exchangeNumber: string,
  limit: number,
): Promise<SubmissionRow[]> {
  return db
    .selectFrom('contact_submissions')
    .select(columns)
    .where(sql<boolean>`upper(exchange_number) = ${exchangeNumber} and exchange_number <> ''`)
    .where('state', '<>', 'spam')
    .orderBy('created_at')
    .limit(limit)
    .execute();
}

/** How many wait, by state; the index answers. */
export async function countSubmissions(
  db: Db,
): Promise<{ new: number; open: number; spam: number }> {
  const count = (state: MessageState) =>
    sql<number>`(select count(*)::int from contact_submissions where state = ${state})`;
  return db
    .selectNoFrom([count('new').as('new'), count('open').as('open'), count('spam').as('spam')])
    .executeTakeFirstOrThrow();
}

export async function findSubmission(db: Db | Tx, id: Id): Promise<SubmissionRow | undefined> {
  return db
    .selectFrom('contact_submissions')
    .select(columns)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function lockSubmission(tx: Tx, id: Id): Promise<SubmissionRow | undefined> {
  return tx
    .selectFrom('contact_submissions')
    .select(columns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateSubmission(
  tx: Tx,
  id: Id,
  change: Updateable<ContactSubmissionsTable>,
): Promise<void> {
  await tx.updateTable('contact_submissions').set(change).where('id', '=', id).execute();
}

/** All that came from an address, the oldest first. */
export async function lockSubmissionsOf(tx: Tx, email: string): Promise<SubmissionRow[]> {
  return tx
    .selectFrom('contact_submissions')
    .select(columns)
    .where(sql<boolean>`lower(email) = ${email.toLowerCase()}`)
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function deleteEntries(tx: Tx, submissionId: Id): Promise<void> {
  await tx.deleteFrom('contact_entries').where('submission_id', '=', submissionId).execute();
}

export async function deleteSubmission(tx: Tx, id: Id): Promise<void> {
  await tx.deleteFrom('contact_submissions').where('id', '=', id).execute();
}

export async function insertEntry(tx: Tx, entry: Insertable<ContactEntriesTable>): Promise<void> {
  await tx.insertInto('contact_entries').values(entry).execute();
  await tx
    .updateTable('contact_submissions')
    .set(({ ref }) => ({ entry_words: sql`${ref('entry_words')} || ' ' || ${entry.body}` }))
    .where('id', '=', entry.submission_id)
    .execute();
}

/** Oldest first. */
export async function listEntries(db: Db | Tx, submissionId: Id): Promise<EntryRow[]> {
  return db
    .selectFrom('contact_entries')
    .selectAll()
    .where('submission_id', '=', submissionId)
    .orderBy('at')
    .orderBy('id')
    .execute();
}

/** The account that has this address, which proves nothing about who wrote. */
export async function findAccount(db: Db | Tx, email: string): Promise<Id | null> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row?.id ?? null;
}
