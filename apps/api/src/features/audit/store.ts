import { sql, type Insertable, type Selectable } from 'kysely';
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

/** The newest first, with current names and addresses: the log itself has none. */
export async function listAuditEvents(db: Db, ask: AuditFilter): Promise<AuditRow[]> {
  const { actorId, action, subjectKind, subjectId, from, before, olderThan, limit } = ask;
  return db
    .selectFrom('audit_events as e')
    .leftJoin('users as u', (join) =>
      join.onRef('u.id', '=', 'e.actor_id').on('u.deleted_at', 'is', null),
    )
    .leftJoin('users as s', (join) =>
      join.on('s.id', '=', subjectUser).on('s.deleted_at', 'is', null),
    )
    .selectAll('e')
    .select(['u.name as actor_name', 'u.email as actor_email', 'u.role as actor_role'])
    .select(['s.name as subject_name', 's.email as subject_email'])
    .$if(actorId !== undefined, (query) => query.where('e.actor_id', '=', actorId ?? null))
    .$if(action !== undefined, (query) => query.where(actionIs(action ?? '')))
    .$if(subjectKind !== undefined, (query) =>
      query.where('e.subject_kind', '=', subjectKind ?? null),
    )
    .$if(subjectId !== undefined, (query) => query.where('e.subject_id', '=', subjectId ?? null))
    .$if(from !== undefined, (query) => query.where('e.at', '>=', from ?? new Date()))
    .$if(before !== undefined, (query) => query.where('e.at', '<', before ?? new Date()))
    .$if(olderThan !== undefined, (query) => query.where('e.id', '<', olderThan ?? 0))
    .orderBy('e.id', 'desc')
    .limit(limit)
    .execute();
}

function actionIs(action: string) {
  return action.endsWith('.')
    ? sql<boolean>`starts_with(e.action, ${action})`
    : sql<boolean>`e.action = ${action}`;
}
