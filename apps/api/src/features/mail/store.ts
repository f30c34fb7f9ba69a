/** What is remembered of letters. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import { DAY } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { LettersTable } from '#platform/tables.generated.ts';
import { LETTERS } from './queue.ts';

export type LetterRow = Selectable<LettersTable>;

export async function insertLetter(tx: Tx, letter: Insertable<LettersTable>): Promise<void> {
  await tx.insertInto('letters').values(letter).execute();
}

export async function findLetter(db: Db | Tx, id: Id): Promise<LetterRow | undefined> {
  return db.selectFrom('letters').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Counts an attempt and keeps others away until then; undefined when it is not due. */
export async function leaseLetter(
  tx: Tx,
  id: Id,
  now: Date,
  until: Date,
): Promise<LetterRow | undefined> {
  return tx
    .updateTable('letters')
    .set({ attempts: sql`attempts + 1`, next_attempt_at: until })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '<=', now)
    .returningAll()
    .executeTakeFirst();
}

/** Keeps others away for longer; not when they have it already. */
export async function renewLease(
  db: Db,
  { id, attempts }: Pick<LetterRow, 'id' | 'attempts'>,
  until: Date,
): Promise<void> {
  await db
    .updateTable('letters')
    .set({ next_attempt_at: until })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('attempts', '=', attempts)
    .execute();
}

export async function updateWaiting(
  tx: Tx,
  id: Id,
  change: Updateable<LettersTable>,
): Promise<void> {
  await tx
    .updateTable('letters')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

/** Older ones tell nobody anything new. */
const WORTH_DAYS = 7;

/** Dead ones that may reach somebody yet: young, no offer in them has expired, and their mailbox is there. */
const worthTrying = (now: Date) => sql<boolean>`state = 'dead' and not gone and queue = ${LETTERS}
  and created_at >= ${new Date(now.getTime() - WORTH_DAYS * DAY)}
  and (useful_until is null or useful_until > ${now})`;

/** Up to `most` of them wait again, as if new, the oldest first. */
export async function reviveAll(tx: Tx, now: Date, most: number): Promise<Id[]> {
  const rows = await tx
    .updateTable('letters')
    .set({ state: 'waiting', attempts: 0, next_attempt_at: now })
    .where('id', 'in', (query) =>
      query
        .selectFrom('letters')
        .select('id')
        .where(worthTrying(now))
        .orderBy('created_at')
        .orderBy('id')
        .limit(most)
        .forUpdate(),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** How many those are, and how old the oldest is. */
export async function countWorthTrying(
  db: Db | Tx,
  now: Date,
): Promise<{ dead_to_try: number; oldest_dead_at: Date | null }> {
  return db
    .selectFrom('letters')
    .select([
      sql<number>`count(*)::int`.as('dead_to_try'),
      sql<Date | null>`min(created_at)`.as('oldest_dead_at'),
    ])
    .where(worthTrying(now))
    .executeTakeFirstOrThrow();
}

/** Waits again, as if new; undefined when it is not dead. */
export async function reviveLetter(tx: Tx, id: Id, now: Date): Promise<LetterRow | undefined> {
  return tx
    .updateTable('letters')
    .set({ state: 'waiting', attempts: 0, next_attempt_at: now })
    .where('id', '=', id)
    .where('state', '=', 'dead')
    .returningAll()
    .executeTakeFirst();
}

/** Those that are due have no time any more, until they are taken up. */
export async function setAside(tx: Tx, ids: readonly Id[], now: Date): Promise<void> {
  await sql`update letters set next_attempt_at = null where id = any(${[...ids]}::uuid[])
    and state = 'waiting' and next_attempt_at <= ${now}`.execute(tx);
}

/** Those that were set aside are due. */
export async function takeUp(tx: Tx, ids: readonly Id[], now: Date): Promise<void> {
  await sql`update letters set next_attempt_at = ${now} where id = any(${[...ids]}::uuid[])
    and state = 'waiting' and next_attempt_at is null`.execute(tx);
}

/** Those that are due, or set aside; answers which. */
export async function deleteWaiting(tx: Tx, ids: readonly Id[], now: Date): Promise<Id[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .deleteFrom('letters')
    .where('id', 'in', [...ids])
    .where('state', '=', 'waiting')
    .where((is) => is.or([is('next_attempt_at', 'is', null), is('next_attempt_at', '<=', now)]))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Of the queue that is the post's own. */
export async function listOverdue(tx: Tx, before: Date): Promise<Id[]> {
  const rows = await tx
    .selectFrom('letters')
    .select('id')
    .where('state', '=', 'waiting')
    .where('queue', '=', LETTERS)
    .where('next_attempt_at', '<', before)
    .orderBy('created_at')
    .limit(500)
    .execute();
  return rows.map(({ id }) => id);
}

/** Letters hold account numbers and addresses: done with, they are not kept for ever. */
export async function deleteDoneBefore(
  tx: Tx,
  before: { readonly done: Date; readonly fleeting: Date },
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('letters')
    .where('state', '<>', 'waiting')
    .where(
      sql<boolean>`created_at < case when fleeting then ${before.fleeting} else ${before.done} end`,
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export async function deleteLetter(tx: Tx, id: Id): Promise<void> {
  await tx.deleteFrom('letters').where('id', '=', id).execute();
}

/** People type their address in capitals too. */
const wentTo = (email: string) => sql<boolean>`lower(recipient) = lower(${email})`;

/** All that went to an address and belongs to no account, but the letter that tells of its end. */
export async function deleteLettersOfNobodyTo(tx: Tx, email: string): Promise<void> {
  await tx
    .deleteFrom('letters')
    .where(wentTo(email))
    .where('user_id', 'is', null)
    .where('fleeting', '=', false)
    .execute();
}

export async function deleteLettersOf(tx: Tx, userId: Id): Promise<void> {
  await tx.deleteFrom('letters').where('user_id', '=', userId).execute();
}

export async function deleteLettersTo(
  tx: Tx,
  email: string,
  kinds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('letters')
    .where(wentTo(email))
    .where('kind', 'in', [...kinds])
    .execute();
}

/**
 * What went to somebody, the newest first, without what it tells. Not what went to an address that they
 * asked for and do not have: it would tell whether that address has an account.
 */
export async function listLettersTo(db: Db, userId: Id, limit: number) {
  return db
    .selectFrom('letters')
    .select(['kind', 'recipient', 'subject', 'state', 'created_at', 'sent_at'])
    .where('user_id', '=', userId)
    .where('kind', '!=', 'verify-new-address')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export interface LettersAsk {
  readonly state: LetterRow['state'] | undefined;
  readonly recipient: string | undefined;
  readonly after: { at: Date; id: Id } | null;
  readonly limit: number;
}

/** The newest first, without what they tell and without what opens something. */
export type LetterNoteRow = Omit<
  LetterRow,
  'data' | 'secret' | 'user_id' | 'locale' | 'queue' | 'gone' | 'fleeting'
>;

export async function listLetters(
  db: Db,
  { state, recipient, after, limit }: LettersAsk,
): Promise<LetterNoteRow[]> {
  return db
    .selectFrom('letters')
    .select([
      'id',
      'kind',
      'recipient',
      'subject',
      'state',
      'attempts',
      'last_error',
      'next_attempt_at',
      'message_id',
      'useful_until',
      'sent_at',
      'created_at',
    ])
    .where(sql<boolean>`${state === undefined ? sql`true` : sql`state = ${state}`}
      and ${recipient === undefined ? sql`true` : wentTo(recipient)}
      and ${after === null ? sql`true` : sql`(created_at, id) < (${after.at}, ${after.id}::uuid)`}`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** What failed of campaigns is told apart. Each figure by its own index. */
export async function countLetters(db: Db, since: Date) {
  return db
    .selectNoFrom([
      sql<number>`(select count(*) from letters where state = 'waiting')`.as('waiting'),
      sql<Date | null>`(select min(created_at) from letters where state = 'waiting')`.as(
        'oldest_waiting_at',
      ),
      sql<number>`(select count(*) from letters where state = 'dead' and queue = ${LETTERS})`.as(
        'dead',
      ),
      sql<number>`(select count(*) from letters where state = 'dead' and queue <> ${LETTERS})`.as(
        'dead_of_campaigns',
      ),
      sql<number>`(select count(*) from letters where sent_at > ${since})`.as('sent_last_24h'),
    ])
    .executeTakeFirstOrThrow();
}
