/** All SQL on emails and their counts. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import { DAY } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { isAfter, type ListAsk } from '#platform/db/time-list.ts';
import type { EmailsTable } from '#platform/db/tables.generated.ts';

export type EmailRow = Selectable<EmailsTable>;

export async function insertEmail(tx: Tx, email: Insertable<EmailsTable>): Promise<void> {
  await tx.insertInto('emails').values(email).execute();
}

export async function findEmail(tx: Tx, id: Id): Promise<EmailRow | undefined> {
  return tx.selectFrom('emails').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Counts an attempt; undefined for an email that is not waiting. */
export async function beginAttempt(db: Db, id: Id): Promise<EmailRow | undefined> {
  return db
    .updateTable('emails')
    .set({ attempts: sql`attempts + 1` })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returningAll()
    .executeTakeFirst();
}

/** Answers whether it was waiting. */
export async function updateWaiting(
  db: Db | Tx,
  id: Id,
  change: Updateable<EmailsTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('emails')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function deleteEmail(tx: Tx, id: Id): Promise<void> {
  await tx.deleteFrom('emails').where('id', '=', id).execute();
}

/** Waits again, as if new; undefined for an email that has not failed. */
export async function requeueFailed(tx: Tx, id: Id): Promise<EmailRow | undefined> {
  return tx
    .updateTable('emails')
    .set({ state: 'waiting', attempts: 0 })
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .returningAll()
    .executeTakeFirst();
}

/** An older email tells its recipient nothing new. */
const RETRY_DAYS = 7;

const mayRetry = (now: Date) => sql<boolean>`state = 'failed' and not undeliverable
  and created_at >= ${new Date(now.getTime() - RETRY_DAYS * DAY)}
  and (expires_at is null or expires_at > ${now})`;

/** Up to `limit` of those that may still be of use wait again, the oldest first; answers which. */
export async function requeueAllFailed(tx: Tx, now: Date, limit: number): Promise<Id[]> {
  const rows = await tx
    .updateTable('emails')
    .set({ state: 'waiting', attempts: 0 })
    .where('id', 'in', (query) =>
      query
        .selectFrom('emails')
        .select('id')
        .where(mayRetry(now))
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .forUpdate(),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Emails hold account numbers and addresses: none stays for ever. */
export async function deleteDoneBefore(
  tx: Tx,
  before: { readonly done: Date; readonly deletable: Date },
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('emails')
    .where('state', '<>', 'waiting')
    .where(
      sql<boolean>`created_at < case when delete_after_sending then ${before.deletable} else ${before.done} end`,
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** People type their address in capitals too. */
const wentTo = (email: string) => sql<boolean>`lower(recipient) = lower(${email})`;

/** All emails to an address without an account, but the one that confirms its deletion. */
export async function deleteEmailsWithoutUser(tx: Tx, email: string): Promise<void> {
  await tx
    .deleteFrom('emails')
    .where(wentTo(email))
    .where('user_id', 'is', null)
    .where('delete_after_sending', '=', false)
    .execute();
}

export async function deleteEmailsOfUser(tx: Tx, userId: Id): Promise<void> {
  await tx.deleteFrom('emails').where('user_id', '=', userId).execute();
}

export async function deleteEmailsTo(
  tx: Tx,
  email: string,
  kinds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('emails')
    .where(wentTo(email))
    .where('kind', 'in', [...kinds])
    .execute();
}

/** Emails are deleted after 90 days; more than this no account gets. It bounds the cost of an export. */
const MAX_EXPORT = 10_000;

/**
 * For the export of an account: the newest first, without their text. Not what went to an address that
 * the user asked for and does not have: it would tell whether that address has an account.
 */
export async function listEmailsTo(db: Db, userId: Id) {
  return db
    .selectFrom('emails')
    .select(['kind', 'recipient', 'subject', 'state', 'created_at', 'sent_at'])
    .where('user_id', '=', userId)
    .where('kind', '!=', 'verify-new-address')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_EXPORT)
    .execute();
}

const LISTED = [
  'id',
  'kind',
  'recipient',
  'subject',
  'state',
  'attempts',
  'last_error',
  'message_id',
  'expires_at',
  'sent_at',
  'created_at',
] as const;

export type ListedEmailRow = Pick<EmailRow, (typeof LISTED)[number]>;

/** The newest first, without what they say and without their secrets. */
export async function listEmails(
  db: Db,
  ask: ListAsk<EmailRow['state']> & { readonly recipient: string | undefined },
): Promise<ListedEmailRow[]> {
  const { state, recipient, after, limit } = ask;
  return db
    .selectFrom('emails')
    .select(LISTED)
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'sent'))
    .$if(recipient !== undefined, (query) => query.where(wentTo(recipient ?? '')))
    .where(isAfter(after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Each figure by its own index. `last_error` is that of the newest attempt that waits for another. */
export async function summarize(db: Db | Tx, now: Date) {
  const yesterday = new Date(now.getTime() - DAY);
  return db
    .selectNoFrom([
      sql<number>`(select count(*) from emails where state = 'waiting')`.as('waiting'),
      sql<Date | null>`(select min(created_at) from emails where state = 'waiting')`.as(
        'oldest_waiting_at',
      ),
      sql<string | null>`(select last_error from emails where state = 'waiting'
        and last_error is not null order by created_at desc limit 1)`.as('last_error'),
      sql<number>`(select count(*) from emails where state = 'failed')`.as('failed'),
      sql<number>`(select count(*) from emails where ${mayRetry(now)})`.as('retryable'),
      sql<number>`(select count(*) from emails where sent_at > ${yesterday})`.as('sent_last_24h'),
    ])
    .executeTakeFirstOrThrow();
}

/** Emails of one kind to one address, known by its hash, in one hour. */
export interface Counted {
  readonly hash: Buffer;
  readonly kind: string;
  readonly hour: Date;
}

/** Those in the hours since then, before this one. */
export async function countBefore(
  tx: Tx,
  { hash, kind, hour }: Counted,
  since: Date,
): Promise<number> {
  const { count } = await tx
    .selectFrom('email_counts')
    .select(sql<number>`coalesce(sum(count), 0)::int`.as('count'))
    .where('recipient_hash', '=', hash)
    .where('kind', '=', kind)
    .where('hour', '>', since)
    .where('hour', '<', hour)
    .executeTakeFirstOrThrow();
  return count;
}

/** Counts one more of this hour, unless there are `most`; answers whether it did. */
export async function countUpTo(
  tx: Tx,
  { hash, kind, hour }: Counted,
  most: number,
): Promise<boolean> {
  if (most <= 0) return false;
  const { rows } = await sql`
    insert into email_counts as known (recipient_hash, kind, hour, count)
    values (${hash}, ${kind}, ${hour}, 1)
    on conflict (recipient_hash, kind, hour) do update set count = known.count + 1
      where known.count < ${most}
    returning count`.execute(tx);
  return rows.length === 1;
}

export async function deleteCountsBefore(tx: Tx, time: Date): Promise<void> {
  await tx.deleteFrom('email_counts').where('hour', '<', time).execute();
}
