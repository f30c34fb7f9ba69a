import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { AuditEventsTable } from '#platform/db/tables.generated.ts';

export async function insertAuditEvent(
  db: Tx | Db,
  event: Insertable<AuditEventsTable>,
): Promise<void> {
  await db.insertInto('audit_events').values(event).execute();
}

export interface AuditFilter {
  readonly actorId: string | undefined;
  /** One action, or with a dot at its end all that begin with it. */
  readonly action: string | undefined;
  readonly subjectKind: string | undefined;
  readonly subjectId: string | undefined;
  /** At or after. */
  readonly from: Date | undefined;
  readonly before: Date | undefined;
  /** Older than this one. */
  readonly olderThan: number | undefined;
  readonly limit: number;
}

export type AuditRow = Selectable<AuditEventsTable> & {
  actor_name: string | null;
  actor_email: string | null;
  actor_role: 'user' | 'admin' | null;
  subject_name: string | null;
  subject_email: string | null;
};

/** The user id in a column that may contain other ids. */
const subjectUser = sql<string>`case when e.subject_kind = 'user'
  and e.subject_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then e.subject_id::uuid end`;

/**
 * The newest first, with current names and addresses: the log itself has none. By time and not by number, so that
 * the days asked for are a part of each index. The page is found in the index before its rows are read.
 */
export async function listAuditEvents(db: Db, ask: AuditFilter): Promise<AuditRow[]> {
  const { action, limit } = ask;
  const conditions = conditionsOf(ask);
  const page = action?.endsWith('.')
    ? sql`select n.id from (${actionsWith(action)}) known cross join lateral (
        ${newest([...conditions, sql`e.action = known.action`], limit)}) n
        order by n.at desc, n.id desc limit ${limit}`
    : newest(action === undefined ? conditions : [...conditions, sql`e.action = ${action}`], limit);
  const { rows } = await sql<AuditRow>`
    select e.*, u.name as actor_name, u.email as actor_email, u.role as actor_role,
      s.name as subject_name, s.email as subject_email
    from (${page}) p join audit_events e on e.id = p.id
    left join users u on u.id = e.actor_id and u.deleted_at is null
    left join users s on s.id = ${subjectUser} and s.deleted_at is null
    order by e.at desc, e.id desc`.execute(db);
  return rows;
}

function newest(conditions: readonly RawBuilder<unknown>[], limit: number) {
  return sql`select e.id, e.at from audit_events e where ${sql.join([sql`true`, ...conditions], sql` and `)}
    order by e.at desc, e.id desc limit ${limit}`;
}

function conditionsOf({ actorId, subjectKind, subjectId, from, before, olderThan }: AuditFilter) {
  return [
    ...(actorId === undefined ? [] : [sql`e.actor_id = ${actorId}`]),
    ...(subjectKind === undefined ? [] : [sql`e.subject_kind = ${subjectKind}`]),
    ...(subjectId === undefined ? [] : [sql`e.subject_id = ${subjectId}`]),
    ...(from === undefined ? [] : [sql`e.at >= ${from}`]),
    ...(before === undefined ? [] : [sql`e.at < ${before}`]),
    ...(olderThan === undefined
      ? []
      : [sql`(e.at, e.id) < (select at, id from audit_events where id = ${olderThan})`]),
  ];
}

/** The known actions that begin so: one probe of the index for each that there is, however often it was done. */
const actionsWith = (beginning: string) => sql`
  with recursive found(action) as (
    select min(action) from audit_events
    union all
    select (select min(action) from audit_events where action > found.action)
    from found where found.action is not null)
  select action from found where starts_with(action, ${beginning})`;
