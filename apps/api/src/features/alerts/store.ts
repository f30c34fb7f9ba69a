/** SQL on `rate_alerts` and `reserve_alerts`. Rates are compared exactly, as `numeric`. */
import type { AlertDirection } from '@cambist/contract/alerts';
import type { PublicCurrency } from '@cambist/contract/currencies';
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { RateAlertsTable, ReserveAlertsTable } from '#platform/db/tables.generated.ts';

export type AlertTable = 'rate_alerts' | 'reserve_alerts';

export async function postpone(tx: Tx, table: AlertTable, id: Id, until: Date): Promise<void> {
  await sql`update ${sql.table(table)} set postponed_until = ${until} where id = ${id}`.execute(tx);
}

export type RateAlertRow = Selectable<RateAlertsTable>;

export async function listRateAlerts(db: Db, userId: Id): Promise<RateAlertRow[]> {
  return db
    .selectFrom('rate_alerts')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export async function listAlertsForExport(db: Db, userId: Id) {
  return db
    .selectFrom('rate_alerts as a')
    .innerJoin('pairs as p', 'p.id', 'a.pair_id')
    .select(['p.slug as pair', 'a.direction', 'a.target'])
    .select(['a.sent_at', 'a.sent_rate', 'a.created_at'])
    .where('a.user_id', '=', userId)
    .orderBy('a.created_at')
    .execute();
}

export async function countRateAlerts(tx: Tx, userId: Id): Promise<number> {
  const { count } = await tx
    .selectFrom('rate_alerts')
    .select((column) => column.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

/** An existing alert waits again. */
export async function upsertRateAlert(
  tx: Tx,
  row: Pick<RateAlertRow, 'id' | 'user_id' | 'pair_id' | 'direction' | 'target'>,
): Promise<RateAlertRow> {
  const waiting = { sent_at: null, sent_rate: null };
  return tx
    .insertInto('rate_alerts')
    .values({ ...row, ...waiting, postponed_until: null })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'pair_id', 'direction', 'target']).doUpdateSet(waiting),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** False where there is none, or it is another user's. */
export async function deleteRateAlert(db: Db, id: Id, userId: Id): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('rate_alerts')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The pairs with alerts that wait: one index look-up per pair. */
export async function listWatchedPairs(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from pairs p where exists (
      select from rate_alerts a where a.pair_id = p.id and a.sent_at is null)`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The customer's rate of a pair. */
export interface PairRate {
  readonly pair_id: string;
  readonly rate: string;
}

interface ReachedAlert extends PairRate, Pick<RateAlertRow, 'id' | 'user_id' | 'target'> {
  readonly direction: AlertDirection;
  readonly email: string;
  readonly name: string;
  readonly locale: string;
}

/**
 * Reached alerts of users with a confirmed address who may sign in. Each direction is a range of the
 * index, so that alerts that are not reached are not read.
 */
export async function lockReached(
  tx: Tx,
  rates: readonly PairRate[],
  now: Date,
  limit: number,
): Promise<ReachedAlert[]> {
  const given = sql`jsonb_to_recordset(
    ${JSON.stringify(rates)}::text::jsonb) as n(pair_id uuid, rate numeric)`;
  const reached = (direction: AlertDirection) => sql`
    select found.* from ${given} cross join lateral (
      select a.id, a.user_id, a.pair_id, a.direction, a.target, u.email, u.name, u.locale
      from rate_alerts a join users u on u.id = a.user_id
      where a.pair_id = n.pair_id and a.direction = ${direction}
        and ${direction === 'at_least' ? sql`a.target <= n.rate` : sql`a.target >= n.rate`}
        and a.sent_at is null
        and (a.postponed_until is null or a.postponed_until <= ${now})
        and u.email_verified_at is not null and u.disabled_at is null and u.deleted_at is null
      order by a.target limit ${limit} for no key update of a skip locked) as found`;
  const { rows } = await sql<Omit<ReachedAlert, 'rate'>>`
    select * from (${reached('at_least')} union all ${reached('at_most')}) as reached
    limit ${limit}`.execute(tx);
  const rateOf = new Map(rates.map(({ pair_id, rate }) => [pair_id, rate]));
  return rows.map((row) => ({ ...row, rate: rateOf.get(row.pair_id) ?? '' }));
}

export async function markSent(tx: Tx, id: Id, sent_rate: string): Promise<void> {
  await tx
    .updateTable('rate_alerts')
    .set({ sent_at: sql<Date>`now()`, sent_rate })
    .where('id', '=', id)
    .execute();
}

export async function deleteAlertsOf(tx: Tx, userId: Id): Promise<void> {
  await tx.deleteFrom('rate_alerts').where('user_id', '=', userId).execute();
}

type ReserveAlertRow = Selectable<ReserveAlertsTable>;

/** An alert with its pair and the currency to be paid out. */
export interface ReserveAlert extends ReserveAlertRow {
  readonly pair: string;
  readonly receive: PublicCurrency;
}

const byEmail = (email: string) => sql<boolean>`lower(email) = ${email.toLowerCase()}`;

/** The address's alerts besides this one. */
export async function countOtherReserveAlerts(
  tx: Tx,
  { email, pair_id, amount_minor }: Pick<ReserveAlertRow, 'email' | 'pair_id' | 'amount_minor'>,
): Promise<number> {
  const { count } = await tx
    .selectFrom('reserve_alerts')
    .select((column) => column.fn.countAll<number>().as('count'))
    .where(byEmail(email))
    .where(sql<boolean>`(pair_id, amount_minor) <> (${pair_id}, ${amount_minor})`)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * One that the address asked for before this time and has not confirmed waits anew; another one that it
 * has already is undefined.
 */
export async function upsertReserveAlert(
  tx: Tx,
  row: Insertable<ReserveAlertsTable>,
  before: Date,
): Promise<{ id: Id } | undefined> {
  return tx
    .insertInto('reserve_alerts')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .expression(sql`lower(email), pair_id, amount_minor`)
        .doUpdateSet({ asked_at: row.asked_at, ends_at: row.ends_at })
        .where('reserve_alerts.confirmed_at', 'is', null)
        .where('reserve_alerts.asked_at', '<=', before),
    )
    .returning('id')
    .executeTakeFirst();
}

const reserveAlerts = (db: Db | Tx) =>
  db
    .selectFrom('reserve_alerts as a')
    .innerJoin('pairs as p', 'p.id', 'a.pair_id')
    .innerJoin('currencies as r', 'r.id', 'p.receive_currency_id')
    .selectAll('a')
    .select(['p.slug as pair', sql<PublicCurrency>`to_jsonb(r)`.as('receive')]);

export async function findReserveAlert(
  db: Db,
  id: Id,
  now: Date,
): Promise<ReserveAlert | undefined> {
  return reserveAlerts(db).where('a.id', '=', id).where('a.ends_at', '>', now).executeTakeFirst();
}

/** False where there is none that waits. Twice is the same. */
export async function confirmReserveAlert(
  db: Db,
  id: Id,
  { now, ends_at }: { now: Date; ends_at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reserve_alerts')
    .set({
      confirmed_at: sql`coalesce(confirmed_at, ${now})`,
      ends_at: sql`case when confirmed_at is null then ${ends_at}::timestamptz else ends_at end`,
    })
    .where('id', '=', id)
    .where('ends_at', '>', now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Locks confirmed alerts of open pairs whose amount the reserve covers, without locked ones. */
export async function lockPayable(tx: Tx, now: Date, limit: number): Promise<ReserveAlert[]> {
  return reserveAlerts(tx)
    .innerJoin('currencies as s', 's.id', 'p.send_currency_id')
    .innerJoin('ledger_accounts as l', 'l.currency_id', 'r.id')
    .where('l.kind', '=', 'available')
    .whereRef('l.balance', '>=', 'a.amount_minor')
    .where('a.confirmed_at', 'is not', null)
    .where('a.ends_at', '>', now)
    .where(sql<boolean>`(a.postponed_until is null or a.postponed_until <= ${now})`)
    .where(sql<boolean>`p.active and s.active and r.active`)
    .orderBy('a.asked_at')
    .limit(limit)
    .forUpdate('a')
    .skipLocked()
    .execute();
}

export async function deleteReserveAlert(tx: Tx, id: Id): Promise<void> {
  await tx.deleteFrom('reserve_alerts').where('id', '=', id).execute();
}

export async function deleteEnded(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('reserve_alerts').where('ends_at', '<=', now).execute();
}

export async function deleteAlertsTo(tx: Tx, email: string): Promise<void> {
  await tx.deleteFrom('reserve_alerts').where(byEmail(email)).execute();
}
