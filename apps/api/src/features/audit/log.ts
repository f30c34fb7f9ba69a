/** The audit log for admins, and for the export of an account. */
import type { AuditEvent, listAuditEvents } from '@cambist/contract/audit';
import type { QueryOf, ReplyOf } from '@cambist/contract/endpoint';
import { DAY } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { invalid } from '#kernel/refusal.ts';
import type { Db } from '#platform/db/database.ts';
import * as store from './store.ts';

const PER_PAGE = 50;

/** One page. Days are in UTC, both included. @throws {Refusal} 422 on `cursor` */
export async function readLog(
  db: Db,
  query: QueryOf<typeof listAuditEvents>,
): Promise<ReplyOf<typeof listAuditEvents>> {
  const limit = query.per_page ?? PER_PAGE;
  const rows = await store.listAuditEvents(db, {
    actorId: query.actor_id,
    action: query.action,
    subjectKind: query.subject_kind,
    subjectId: query.subject_id,
    from: query.from === undefined ? undefined : new Date(`${query.from}T00:00:00Z`),
    before:
      query.to === undefined
        ? undefined
        : new Date(new Date(`${query.to}T00:00:00Z`).getTime() + DAY),
    olderThan: query.cursor === undefined ? undefined : readCursor(query.cursor),
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    data: page.map(eventOf),
    meta: { next_cursor: last ? String(last.id) : null, per_page: limit },
  };
}

/** Bounds the cost of one export. */
const MAX_EXPORT = 10_000;

/** A user's own actions, the newest first, for the export of the account; without names and addresses of others. */
export async function eventsOf(
  db: Db,
  actorId: Id,
): Promise<Omit<AuditEvent, 'subject_name' | 'subject_email'>[]> {
  const all = {
    action: undefined,
    subjectKind: undefined,
    subjectId: undefined,
    from: undefined,
    before: undefined,
    olderThan: undefined,
  };
  const rows = await store.listAuditEvents(db, { ...all, actorId, limit: MAX_EXPORT });
  return rows.map(({ subject_name: _name, subject_email: _email, ...row }) => eventOf(row));
}

function eventOf<Row extends { id: number; at: Date }>({ id, at, ...row }: Row) {
  return { ...row, id: String(id), at: at.toISOString() };
}

function readCursor(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw invalid({ cursor: 'The cursor format is invalid.' });
  return Number.parseInt(cursor, 10);
}
