/**
 * SQL of exchanges and their events. Locks are always taken in this order: idempotency key, customer,
 * exchange, and ledger accounts last, because all customers share the row of a reserve.
 */
import type { PublicCurrency } from '@cambist/contract/currencies';
import { openStates } from '@cambist/contract/exchange-groups';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type {
  ExchangeEventsTable,
  ExchangesTable,
  UsersTable,
} from '#platform/db/tables.generated.ts';

/** An exchange with its pair's slug and its currencies. */
export type Exchange = Selectable<ExchangesTable> & {
  pair_slug: string;
  send: PublicCurrency;
  receive: PublicCurrency;
};
export type ExchangeEvent = Selectable<ExchangeEventsTable>;
export type ExchangeUpdate = Updateable<ExchangesTable>;

/** The public fields of a currency by its alias. */
export const currencyOf = (alias: string) => sql<PublicCurrency>`jsonb_build_object(
  'slug', ${sql.ref(`${alias}.slug`)}, 'unit', ${sql.ref(`${alias}.unit`)},
  'name', ${sql.ref(`${alias}.name`)}, 'symbol', ${sql.ref(`${alias}.symbol`)},
  'channel', ${sql.ref(`${alias}.channel`)}, 'kind', ${sql.ref(`${alias}.kind`)},
  'decimals', ${sql.ref(`${alias}.decimals`)})`;

/** Not the transaction's start, since it may have waited for a lock. */
export async function databaseTime(db: Db | Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The database returned no time.');
  return row.now;
}

/** Serialises creations per customer, for correct limits. */
export async function lockCustomer(tx: Tx, userId: Id): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`exchanges of ${userId}`}, 0))`.execute(
    tx,
  );
}

export async function hasExchanges(tx: Tx, userId: Id): Promise<boolean> {
  const row = await tx
    .selectFrom('exchanges')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Those that a refund is owed for, too. */
export async function countOpen(tx: Tx, userId: Id): Promise<number> {
  const { open } = await tx
    .selectFrom('exchanges')
    .select((column) => column.fn.countAll<number>().as('open'))
    .where('user_id', '=', userId)
    .where(sql<boolean>`(state = any(${[...openStates]}) or exists (select from exchange_refunds f
      where f.exchange_id = exchanges.id and f.state in ('awaiting_account', 'to_pay')))`)
    .executeTakeFirstOrThrow();
  return open;
}

/** Quotes and numbers are unique. */
export async function insertExchange(
  tx: Tx,
  row: Insertable<ExchangesTable>,
): Promise<Selectable<ExchangesTable> | 'quote_used' | 'number_taken'> {
  const inserted = await tx
    .insertInto('exchanges')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (inserted !== undefined) return inserted;
  // The conflicting transaction has committed, or the insert would still wait.
  const redeemed = await tx
    .selectFrom('exchanges')
    .select('id')
    .where('quote_id', '=', row.quote_id)
    .executeTakeFirst();
  return redeemed === undefined ? 'number_taken' : 'quote_used';
}

/** Exchanges `e` with pair `p` and currencies `s` and `r`. */
export const exchangeRows = (db: Db | Tx) =>
  db
    .selectFrom('exchanges as e')
    .innerJoin('pairs as p', 'p.id', 'e.pair_id')
    .innerJoin('currencies as s', 's.id', 'e.send_currency_id')
    .innerJoin('currencies as r', 'r.id', 'e.receive_currency_id')
    .selectAll('e')
    .select(['p.slug as pair_slug', currencyOf('s').as('send'), currencyOf('r').as('receive')]);

export async function findExchange(db: Db | Tx, number: string): Promise<Exchange | undefined> {
  return exchangeRows(db).where('e.number', '=', number).executeTakeFirst();
}

/** For the status link; undefined once the customer's account is deleted. */
export async function findShared(db: Db, id: Id): Promise<Exchange | undefined> {
  return exchangeRows(db)
    .innerJoin('users as u', 'u.id', 'e.user_id')
    .where('e.id', '=', id)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst();
}

export async function lockExchange(tx: Tx, number: string): Promise<Exchange | undefined> {
  return exchangeRows(tx).where('e.number', '=', number).forUpdate('e').executeTakeFirst();
}

/** The unpaid exchange with the earliest `pay_by`, without locked ones. */
export async function lockOverdue(
  tx: Tx,
  now: Date,
  except: readonly string[],
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('exchanges')
    .select('number')
    .where('state', '=', 'awaiting_payment')
    .where('pay_by', '<=', now)
    .$if(except.length > 0, (query) => query.where('number', 'not in', [...except]))
    .orderBy('pay_by')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row?.number;
}

/** The exchange on hold whose question is due first, without locked ones. */
export async function lockUnanswered(
  tx: Tx,
  now: Date,
  except: readonly string[],
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('exchange_questions as q')
    .innerJoin('exchanges as e', 'e.id', 'q.exchange_id')
    .select('e.number')
    .where('q.state', '=', 'open')
    .where('q.answer_by', '<=', now)
    .$if(except.length > 0, (query) => query.where('e.number', 'not in', [...except]))
    .orderBy('q.answer_by')
    .limit(1)
    .forUpdate('e')
    .skipLocked()
    .executeTakeFirst();
  return row?.number;
}

/** Those that no operator has claimed, submitted before this time and not reported yet; the oldest first, without locked ones. */
export async function lockUnseen(tx: Tx, before: Date, limit: number): Promise<Exchange[]> {
  return exchangeRows(tx)
    .where('e.state', '=', 'payment_submitted')
    .where('e.submitted_at', '<=', before)
    .where('e.unseen_reported_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('exchange_events as v')
            .select('v.id')
            .whereRef('v.exchange_id', '=', 'e.id')
            .where('v.action', '=', 'claim'),
        ),
      ),
    )
    .orderBy('e.submitted_at')
    .limit(limit)
    .forNoKeyUpdate('e')
    .skipLocked()
    .execute();
}

export async function markUnseenReported(tx: Tx, ids: readonly Id[], now: Date): Promise<void> {
  await tx
    .updateTable('exchanges')
    .set({ unseen_reported_at: now })
    .where('id', 'in', [...ids])
    .execute();
}

export async function updateExchange(
  tx: Tx,
  exchange: Exchange,
  set: ExchangeUpdate,
): Promise<Exchange> {
  if (Object.keys(set).length === 0) return exchange;
  const updated = await tx
    .updateTable('exchanges')
    .set(set)
    .where('id', '=', exchange.id)
    .where('version', '=', exchange.version)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...exchange, ...updated };
}

export type CustomerRow = Pick<
  Selectable<UsersTable>,
  'id' | 'email' | 'name' | 'locale' | 'created_at' | 'deleted_at'
>;

export async function findCustomer(tx: Db | Tx, userId: Id): Promise<CustomerRow> {
  return tx
    .selectFrom('users')
    .select(['id', 'email', 'name', 'locale', 'created_at', 'deleted_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

/** The event's id is the cause of its postings. */
export function insertEvent(tx: Tx, event: Insertable<ExchangeEventsTable>) {
  return tx.insertInto('exchange_events').values(event).returningAll().executeTakeFirstOrThrow();
}

export async function listEvents(
  db: Db | Tx,
  exchangeId: Id,
): Promise<(ExchangeEvent & { actor: string | null })[]> {
  return db
    .selectFrom('exchange_events as v')
    .leftJoin('users as u', 'u.id', 'v.actor_id')
    .selectAll('v')
    .select('u.name as actor')
    .where('v.exchange_id', '=', exchangeId)
    .orderBy('v.id')
    .execute();
}
