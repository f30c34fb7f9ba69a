/** The filters of the audit log, as they stand in the address. Pure. */
import { listPath } from '#lib/browser/list-query.ts';
import { readDay } from '#lib/format/day.ts';

export interface AuditQuery {
  actor_id?: string;
  /** `auth.` stands for all that begin with it. */
  action?: string;
  subject_kind?: string;
  subject_id?: string;
  from?: string;
  to?: string;
}

const names = ['actor_id', 'action', 'subject_kind', 'subject_id', 'from', 'to'] as const;

/** What the service would refuse is left out rather than shown as a broken page. */
const fits: Record<(typeof names)[number], (value: string) => boolean> = {
  actor_id: (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value),
  action: (value) => value.length <= 80,
  subject_kind: (value) => value.length <= 40,
  subject_id: (value) => value.length <= 80,
  from: (value) => readDay(value) !== undefined,
  to: (value) => readDay(value) !== undefined,
};

export function readAuditQuery(query: URLSearchParams): AuditQuery {
  const read: AuditQuery = {};
  for (const name of names) {
    const value = query.get(name)?.trim() ?? '';
    if (value !== '' && fits[name](value)) read[name] = value;
  }
  return read;
}

/** The address of the log with these filters. */
export function auditPath(query: AuditQuery): string {
  return listPath('/admin/audit', { ...query });
}

/** The same filters without some of them. */
export function without(query: AuditQuery, ...dropped: (keyof AuditQuery)[]): AuditQuery {
  const left = { ...query };
  for (const name of dropped) delete left[name];
  return left;
}
