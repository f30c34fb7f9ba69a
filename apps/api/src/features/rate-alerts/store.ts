/** SQL on `rate_alerts`. Rates are compared exactly, as `numeric`. */
import type { AlertDirection } from '@cambist/contract/rate-alerts';
import { sql, type Selectable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { RateAlertsTable } from '#platform/db/tables.generated.ts';

export type AlertRow = Selectable<RateAlertsTable>;

/** Unique. */
export type AlertKey = Pick<AlertRow, 'user_id' | 'pair_id' | 'direction' | 'target'>;

export async function listAlerts(db: Db | Tx, userId: Id): Promise<AlertRow[]> {
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

export interface UserRow {
  readonly email_verified_at: Date | null;
  readonly disabled_at: Date | null;
}

export async function findUser(db: Db, userId: Id): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .select(['email_verified_at', 'disabled_at'])
    .where('id', '=', userId)
    .executeTakeFirst();
}

/** Serialises requests of one user, so that concurrent ones keep the limit, also with the deletion of the account. */
export async function lockUser(tx: Tx, userId: Id): Promise<UserRow | undefined> {
  return tx
    .selectFrom('users')
    .select(['email_verified_at', 'disabled_at'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** The number of the user's other alerts. */
export async function countOthers(tx: Tx, key: AlertKey): Promise<number> {
  const { others } = await tx
    .selectFrom('rate_alerts')
    .select((column) => column.fn.countAll<number>().as('others'))
    .where('user_id', '=', key.user_id)
    .where((column) =>
      column.not(
        column.and([
          column('pair_id', '=', key.pair_id),
          column('direction', '=', key.direction),
          column('target', '=', key.target),
        ]),
      ),
    )
    .executeTakeFirstOrThrow();
  return others;
}

/** An existing alert waits again. */
export async function upsertAlert(tx: Tx, row: AlertKey & Pick<AlertRow, 'id'>): Promise<AlertRow> {
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
export async function deleteAlert(db: Db, id: Id, userId: Id): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('rate_alerts')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteAlertsOf(tx: Tx, userId: Id): Promise<void> {
  await tx.deleteFrom('rate_alerts').where('user_id', '=', userId).execute();
}

/** One check at a time in all processes. */
export async function lockCheck(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('check of rate alerts', 0))`.execute(tx);
}

/** The pairs with alerts that wait: one index look-up per pair. */
export async function listWatchedPairs(db: Db | Tx): Promise<string[]> {
  const rows = await db
    .selectFrom('pairs as p')
    .select('p.id')
    .where((column) =>
      column.exists(
        column
          .selectFrom('rate_alerts as a')
          .select('a.id')
          .whereRef('a.pair_id', '=', 'p.id')
          .where('a.sent_at', 'is', null),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** The customer's rate of a pair. */
export interface PairRate {
  readonly pair_id: string;
  readonly rate: string;
}

const given = (rates: readonly PairRate[]) => sql`jsonb_to_recordset(
  ${JSON.stringify(rates)}::text::jsonb) as n(pair_id uuid, rate numeric)`;

export interface ReachedAlert {
  readonly id: Id;
  readonly user_id: Id;
  readonly pair_id: string;
  readonly direction: AlertDirection;
  readonly target: string;
  readonly email: string;
  readonly name: string;
  readonly locale: string;
}

/**
 * Locks at most `most` reached alerts of users with a confirmed address who may sign in. Each direction is a range of the index, so that alerts that are
 * not reached are not read.
 */
export async function lockReached(
  tx: Tx,
  rates: readonly PairRate[],
  most: number,
): Promise<ReachedAlert[]> {
  const reached = (direction: AlertDirection) => sql`
    select found.* from ${given(rates)} cross join lateral (
      select a.id, a.user_id, a.pair_id, a.direction, a.target, u.email, u.name, u.locale
      from rate_alerts a join users u on u.id = a.user_id
      where a.pair_id = n.pair_id and a.direction = ${direction}
        and ${direction === 'at_least' ? sql`a.target <= n.rate` : sql`a.target >= n.rate`}
        and a.sent_at is null
        and (a.postponed_until is null or a.postponed_until <= now())
        and u.email_verified_at is not null and u.disabled_at is null and u.deleted_at is null
      order by a.target limit ${most} for no key update of a) as found`;
  const { rows } = await sql<ReachedAlert>`
    select * from (${reached('at_least')} union all ${reached('at_most')}) as reached
    limit ${most}`.execute(tx);
  return rows;
}

export async function markSent(
  tx: Tx,
  sent: readonly { readonly id: Id; readonly rate: string }[],
): Promise<void> {
  await sql`
    update rate_alerts a set sent_at = now(), sent_rate = t.rate
    from jsonb_to_recordset(${JSON.stringify(sent)}::text::jsonb) as t(id uuid, rate numeric)
    where a.id = t.id`.execute(tx);
}

/** For alerts of an address at its limit of emails. */
export async function postpone(tx: Tx, ids: readonly Id[], seconds: number): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('rate_alerts')
    .set({ postponed_until: sql<Date>`now() + ${seconds} * interval '1 second'` })
    .where('id', 'in', ids)
    .execute();
}
