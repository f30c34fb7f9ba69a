/** SQL on `pending_changes`. */
import type { PendingChange } from '@cambist/contract/pending-changes';
import { sql, type Selectable } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { PendingChangesTable } from '#platform/db/tables.generated.ts';

const LAPSES_AFTER_DAYS = 7;

type Content<Change extends PendingChange> = Change extends PendingChange
  ? Pick<Change, 'kind' | 'before' | 'after'>
  : never;

/** What a change is about, before and after. */
export type ChangeContent = Content<PendingChange>;

export type ChangeRow = ChangeContent & {
  readonly id: string;
  readonly state: Selectable<PendingChangesTable>['state'];
  readonly asked_by: string;
  readonly asked_at: Date;
  readonly effective_at: Date | null;
  readonly lapses_at: Date | null;
  /** Its time has come, by the database's clock. */
  readonly is_due: boolean;
  readonly asked_by_name: string;
  readonly currency_id: string;
  readonly slug: string;
  readonly unit: string;
  readonly channel: string;
  readonly decimals: number;
};

const select = (db: Db | Tx) =>
  db
    .selectFrom('pending_changes as p')
    .innerJoin('currencies as c', 'c.id', 'p.currency_id')
    .innerJoin('users as u', 'u.id', 'p.asked_by')
    .select(['p.id', 'p.kind', 'p.before', 'p.after', 'p.state', 'p.asked_by', 'p.asked_at'])
    .select(['p.effective_at', 'p.lapses_at', 'p.currency_id', 'u.name as asked_by_name'])
    .select(['c.slug', 'c.unit', 'c.channel', 'c.decimals'])
    .select(sql<boolean>`coalesce(p.effective_at, p.lapses_at) <= now()`.as('is_due'))
    .$castTo<ChangeRow>();

export function listWaiting(db: Db): Promise<ChangeRow[]> {
  return select(db)
    .where('p.state', '=', 'waiting')
    .orderBy('p.asked_at')
    .orderBy('p.id')
    .execute();
}

export function findChange(db: Db | Tx, id: string): Promise<ChangeRow | undefined> {
  return select(db).where('p.id', '=', id).executeTakeFirst();
}

export function lockChange(tx: Tx, id: string): Promise<ChangeRow | undefined> {
  return select(tx).where('p.id', '=', id).forUpdate('p').executeTakeFirst();
}

export function findWaitingPayees(db: Db | Tx, currencyId: string): Promise<ChangeRow | undefined> {
  return select(db)
    .where('p.currency_id', '=', currencyId)
    .where('p.kind', '=', 'payee_accounts')
    .where('p.state', '=', 'waiting')
    .executeTakeFirst();
}

export async function listDue(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('pending_changes')
    .select('id')
    .where('state', '=', 'waiting')
    .where(sql<boolean>`coalesce(effective_at, lapses_at) <= now()`)
    .orderBy('asked_at')
    .execute();
  return rows.map(({ id }) => id);
}

/** One that does not take effect by itself lapses. */
export async function insertChange(
  tx: Tx,
  row: ChangeContent & Pick<ChangeRow, 'id' | 'currency_id' | 'asked_by' | 'effective_at'>,
): Promise<void> {
  const lapses_at = sql<Date>`now() + make_interval(days => ${LAPSES_AFTER_DAYS}::integer)`;
  await tx
    .insertInto('pending_changes')
    .values({ ...row, lapses_at: row.effective_at === null ? lapses_at : null })
    .execute();
}

export async function endChange(
  tx: Tx,
  id: string,
  state: ChangeRow['state'],
  decidedBy: string | null,
): Promise<void> {
  await tx
    .updateTable('pending_changes')
    .set({ state, decided_by: decidedBy, decided_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

/**
 * The cooling-off times that hold: the present one, and a former one for as long again after a person
 * changed it, else a thief would lower it first.
 */
const coolingTimes = (hours: number) => sql`
  select now() as at, make_interval(hours => ${hours}::integer) as cooling
  union all
  select at, make_interval(hours => hours)
  from (
    select at, author_id,
      (lag(content) over (order by number) ->> 'payee_cooling_hours')::integer as hours
    from content_revisions where subject_kind = 'settings' and subject_id = 'desk') as saved
  where author_id is not null and at + make_interval(hours => hours) > now()`;

/** When a change that is asked for now takes effect; null: at once. */
export async function coolingEnd(tx: Tx, hours: number): Promise<Date | null> {
  const { rows } = await sql<{ end: Date; waits: boolean }>`
    select max(at + cooling) as "end", max(at + cooling) > now() as waits
    from (${coolingTimes(hours)}) as times`.execute(tx);
  const [row] = rows;
  return row?.waits ? row.end : null;
}

/** Whether an admin of the desk gave this one the permission within the cooling-off time. */
export async function isNewAdmin(tx: Tx, userId: string, hours: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from audit_events granted, (${coolingTimes(hours)}) as times
      where granted.action = 'users.role_changed'
        and granted.subject_kind = 'user' and granted.subject_id = ${userId}
        and granted.data #> '{after,permissions}' ? 'money'
        and not coalesce(granted.data #> '{before,permissions}' ? 'money', false)
        and granted.at + times.cooling > now()) as found`.execute(tx);
  return rows[0]?.found ?? false;
}
