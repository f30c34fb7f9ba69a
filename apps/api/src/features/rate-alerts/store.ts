/** What rate alerts remember: all SQL on `rate_alerts`. Figures are compared as `numeric`, exactly. */
import type { AlertDirection } from '@cambist/contract/rate-alerts';
import { sql, type Selectable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { RateAlertsTable } from '#platform/db/tables.generated.ts';

export type AlertRow = Selectable<RateAlertsTable>;

/** What makes two alerts of a person the same one. */
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

/** Most is bounded by the limit of alerts. */
export async function listAlertsForExport(db: Db, userId: Id) {
  return db
    .selectFrom('rate_alerts as a')
    .innerJoin('pairs as p', 'p.id', 'a.pair_id')
    .select(['p.slug as pair', 'a.direction', 'a.target', 'a.repeats', 'a.armed as waiting'])
    .select(['a.sent_at', 'a.sent_rate', 'a.created_at'])
    .where('a.user_id', '=', userId)
    .orderBy('a.created_at')
    .execute();
}

export async function findAlert(db: Db, id: Id): Promise<AlertRow | undefined> {
  return db.selectFrom('rate_alerts').selectAll().where('id', '=', id).executeTakeFirst();
}

export interface PersonRow {
  readonly email_verified_at: Date | null;
  readonly disabled_at: Date | null;
}

export async function findPerson(db: Db, userId: Id): Promise<PersonRow | undefined> {
  return db
    .selectFrom('users')
    .select(['email_verified_at', 'disabled_at'])
    .where('id', '=', userId)
    .executeTakeFirst();
}

/**
 * One request of a person at a time, so that two cannot both be the last that the
 * limit allows; and none while the account is being deleted, which locks it too.
 */
export async function lockPerson(tx: Tx, userId: Id): Promise<PersonRow | undefined> {
  return tx
    .selectFrom('users')
    .select(['email_verified_at', 'disabled_at'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** How many others there are beside this one. */
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

/** The same alert again waits again; its emails stay as far apart as they were. */
export async function upsertAlert(
  tx: Tx,
  row: AlertKey & Pick<AlertRow, 'id' | 'repeats'>,
): Promise<AlertRow> {
  return tx
    .insertInto('rate_alerts')
    .values({ ...row, quiet_until: null, sent_at: null, sent_rate: null })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'pair_id', 'direction', 'target'])
        .doUpdateSet({ repeats: row.repeats, armed: true }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** False where there is none, or another's. */
export async function deleteAlert(db: Db | Tx, id: Id, userId: Id | null): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('rate_alerts')
    .where('id', '=', id)
    .$if(userId !== null, (query) => query.where('user_id', '=', userId ?? ''))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteAlertsOf(tx: Tx, userId: Id): Promise<void> {
  await tx.deleteFrom('rate_alerts').where('user_id', '=', userId).execute();
}

/** One check at a time, in whichever process: each then sees what the one before has told. */
export async function lockCheck(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('check of rate alerts', 0))`.execute(tx);
}

/** The pairs that somebody watches; found by one look into an index for each pair. */
export async function listWatchedPairs(db: Db | Tx): Promise<string[]> {
  const rows = await db
    .selectFrom('pairs as p')
    .select('p.id')
    .where((column) =>
      column.or([
        column.exists(
          column
            .selectFrom('rate_alerts as a')
            .select('a.id')
            .whereRef('a.pair_id', '=', 'p.id')
            .where('a.armed', '=', true),
        ),
        column.exists(
          column
            .selectFrom('rate_alerts as a')
            .select('a.id')
            .whereRef('a.pair_id', '=', 'p.id')
            .where('a.repeats', '=', true)
            .where('a.armed', '=', false),
        ),
      ]),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** A customer's rate, as a decimal string. */
export interface RateOfPair {
  readonly pair_id: string;
  readonly rate: string;
}

const given = (rates: readonly RateOfPair[]) => sql`jsonb_to_recordset(
  ${JSON.stringify(rates)}::text::jsonb) as n(pair_id uuid, rate numeric)`;

/** Alerts that repeat wait again where the rate has gone back over the line; on it is not over it. */
export async function rearm(tx: Tx, rates: readonly RateOfPair[]): Promise<void> {
  const left = (direction: AlertDirection) => sql`
    select a.id from ${given(rates)} join rate_alerts a on a.pair_id = n.pair_id
      and a.direction = ${direction} and a.repeats and not a.armed
      and ${direction === 'at_least' ? sql`a.target > n.rate` : sql`a.target < n.rate`}`;
  await sql`
    with gone_back as (${left('at_least')} union all ${left('at_most')})
    update rate_alerts a set armed = true from gone_back where a.id = gone_back.id`.execute(tx);
}

/** An alert whose line was reached, with whom to tell. */
export interface Reached {
  readonly id: Id;
  readonly user_id: Id;
  readonly pair_id: string;
  readonly direction: AlertDirection;
  readonly target: string;
  readonly repeats: boolean;
  readonly email: string;
  readonly name: string;
  readonly locale: string;
}

/**
 * At most `most` alerts whose line the rates have reached, locked until they are marked; of people
 * with a confirmed address who may sign in, and none that was told a short while ago. Each side of
 * the line is a range of the index, so alerts that have not been reached are not read.
 */
export async function lockReached(
  tx: Tx,
  rates: readonly RateOfPair[],
  most: number,
): Promise<Reached[]> {
  const reached = (direction: AlertDirection) => sql`
    select line.* from ${given(rates)} cross join lateral (
      select a.id, a.user_id, a.pair_id, a.direction, a.target, a.repeats, u.email, u.name, u.locale
      from rate_alerts a join users u on u.id = a.user_id
      where a.pair_id = n.pair_id and a.direction = ${direction}
        and ${direction === 'at_least' ? sql`a.target <= n.rate` : sql`a.target >= n.rate`}
        and a.armed and (a.quiet_until is null or a.quiet_until <= now())
        and u.email_verified_at is not null and u.disabled_at is null and u.deleted_at is null
      order by a.target limit ${most} for no key update of a) as line`;
  const { rows } = await sql<Reached>`
    select * from (${reached('at_least')} union all ${reached('at_most')}) as reached
    limit ${most}`.execute(tx);
  return rows;
}

/** They are not told again, or not before they are armed and `quietSeconds` have passed. */
export async function markTold(
  tx: Tx,
  told: readonly { readonly id: Id; readonly rate: string }[],
  quietSeconds: number,
): Promise<void> {
  await sql`
    update rate_alerts a set armed = false, sent_at = now(), sent_rate = t.rate,
      quiet_until = now() + ${quietSeconds} * interval '1 second'
    from jsonb_to_recordset(${JSON.stringify(told)}::text::jsonb) as t(id uuid, rate numeric)
    where a.id = t.id`.execute(tx);
}

/** Whose email could not be written now is looked at again later. */
export async function postpone(tx: Tx, ids: readonly Id[], seconds: number): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('rate_alerts')
    .set({ quiet_until: sql<Date>`now() + ${seconds} * interval '1 second'` })
    .where('id', 'in', ids)
    .execute();
}
