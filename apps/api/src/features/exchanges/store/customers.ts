/** SQL of one customer as the desk knows them. */
import type { ExchangeState } from '@cambist/contract/exchanges';
import { sql } from 'kysely';
import { newId, type Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { LineJson } from '#platform/db/json-columns.ts';

const MAX_LATEST = 1000;
const MAX_ACCOUNTS = 20;
const MAX_OTHERS = 10;
const MAX_NOTES = 200;

export async function findPerson(db: Db | Tx, id: Id) {
  return db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'email_verified_at', 'disabled_at', 'deleted_at', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export interface Outcome {
  state: ExchangeState;
  count: number;
  unit: string;
  decimals: number;
  send_minor: bigint;
  reporting_unit: string | null;
  value: string | null;
}

export async function listOutcomes(db: Db, userId: Id): Promise<Outcome[]> {
  const { rows } = await sql<Outcome>`
    select o.*, s.unit, s.decimals
    from (
      select state, send_currency_id, reporting_unit, count(*)::int as count,
        sum(send_minor) as send_minor, sum(reporting_value)::text as value
      from exchanges where user_id = ${userId} group by 1, 2, 3) o
    join currencies s on s.id = o.send_currency_id`.execute(db);
  return rows;
}

export interface UsedAccount {
  key: string;
  lines: LineJson[];
  count: number;
  last_at: Date;
  others: { id: Id; name: string; exchanges: number }[];
}

/**
 * Those of the latest exchanges, the latest first, each counted to the same number; an account that the desk cannot
 * recognise is left out.
 */
export async function listAccounts(db: Db, userId: Id): Promise<UsedAccount[]> {
  const { rows } = await sql<UsedAccount>`
    select a.key, a.last_at, l.payout_fields as lines,
      (select count(*)::int from (select from exchanges x where x.payout_account_key = a.key
        and x.user_id = ${userId} limit ${MAX_LATEST}) capped) as count,
      (select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name, 'exchanges', o.count)
          order by o.count desc, o.name), '[]') from (
        select u.id, u.name, count(*)::int as count
        from exchanges x join users u on u.id = x.user_id
        where x.payout_account_key = a.key and x.user_id <> ${userId}
        group by u.id order by count(*) desc limit ${MAX_OTHERS}) o) as others
    from (
      select distinct on (key) key, id, last_at from (
        select payout_account_key as key, id, created_at as last_at from exchanges
        where user_id = ${userId} order by created_at desc, id desc limit ${MAX_LATEST}) latest
      where key is not null order by key, last_at desc, id desc) a
    join exchanges l on l.id = a.id
    order by a.last_at desc limit ${MAX_ACCOUNTS}`.execute(db);
  return rows;
}

export async function listNotes(db: Db, customerId: Id) {
  return db
    .selectFrom('customer_notes as n')
    .innerJoin('users as u', 'u.id', 'n.operator_id')
    .select(['n.id', 'n.text', 'u.name as by', 'n.at'])
    .where('n.customer_id', '=', customerId)
    .orderBy('n.at', 'desc')
    .orderBy('n.id', 'desc')
    .limit(MAX_NOTES)
    .execute();
}

export async function insertNote(
  tx: Tx,
  note: { customer_id: Id; operator_id: Id; text: string; at: Date },
): Promise<Id> {
  const id = newId();
  await tx
    .insertInto('customer_notes')
    .values({ id, ...note })
    .execute();
  return id;
}

/** Of a customer who never paid or said that they had. */
export async function deleteNotesOfUnpaid(tx: Tx, customerId: Id): Promise<void> {
  await sql`delete from customer_notes n where n.customer_id = ${customerId} and not exists (
    select from exchanges where user_id = n.customer_id and state not in ('cancelled', 'expired'))`.execute(
    tx,
  );
}

/** Of accounts deleted before this time. */
export async function deleteNotesOfDeleted(db: Db, before: Date): Promise<void> {
  await sql`delete from customer_notes n using users u
    where u.id = n.customer_id and u.deleted_at < ${before}`.execute(db);
}
