/** Writes the audit log, in the transaction of what it tells about. */
import type { Actor, Origin } from '#kernel/actor.ts';
import type { Db, Tx } from '#platform/database.ts';
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

export async function record(db: Tx | Db, event: AuditEvent): Promise<void> {
  const { actor, origin, action, subject_kind, subject_id, data } = event;
  await insertAuditEvent(db, {
    actor_kind: actor === null ? 'guest' : actor === 'system' ? 'system' : actor.role,
    actor_id: actor === null || actor === 'system' ? null : actor.id,
    action,
    subject_kind: subject_kind ?? null,
    subject_id: subject_id ?? null,
    data: { ...data },
    ip: origin?.ip ?? null,
    request_id: origin?.requestId ?? null,
  });
}
