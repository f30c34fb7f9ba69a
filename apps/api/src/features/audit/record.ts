/** Writes the audit log, in the transaction of what it tells about; of guests' failures not every one. */
import type { Actor, Origin } from '#kernel/actor.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { networkOf } from '#platform/security/throttles.ts';
import { guestFailures, openFailureCount, type FailureCount } from './failures.ts';
import { insertAuditEvent } from './store.ts';

export interface AuditEvent {
  /** Null for a guest. */
  readonly actor: Actor | 'system' | null;
  /** Null where no request caused it. */
  readonly origin: Origin | null;
  /** `feature.verb`, such as `auth.signin`. */
  readonly action: string;
  readonly subject_kind?: string;
  readonly subject_id?: string;
  /** What changed, never a secret: no passwords, tokens, keys or file contents. */
  readonly data?: Readonly<Record<string, unknown>>;
}

const counts = new WeakMap<object, FailureCount>();
/** Each transaction is an object of its own, so they share one. */
const TRANSACTIONS = {};

export async function record(db: Tx | Db, event: AuditEvent): Promise<void> {
  const { actor, origin, action, subject_kind, subject_id } = event;
  const unwritten = countFailure(db, event);
  if (unwritten === null) return;
  const data = { ...event.data, ...(unwritten > 0 ? { more_before: unwritten } : {}) };
  await insertAuditEvent(db, {
    actor_kind: actor === null ? 'guest' : actor === 'system' ? 'system' : actor.role,
    actor_id: actor === null || actor === 'system' ? null : actor.id,
    action,
    subject_kind: subject_kind ?? null,
    subject_id: subject_id ?? null,
    data,
    ip: origin?.ip ?? null,
    request_id: origin?.requestId ?? null,
  });
}

/** Null when this failure is not to be written; else how many of its network were not, since the last. */
function countFailure(db: Tx | Db, { actor, origin, action }: AuditEvent): number | null {
  if (actor !== null || origin === null || !guestFailures.has(action)) return 0;
  const where = db.isTransaction ? TRANSACTIONS : db;
  const count = counts.get(where) ?? openFailureCount();
  counts.set(where, count);
  return count.take(`${action} ${networkOf(origin.ip)}`, Date.now());
}
