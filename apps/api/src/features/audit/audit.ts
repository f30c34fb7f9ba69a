/**
 * The audit log: who did what to what, when and from where. The database makes it append-only. An event is
 * written in the transaction of the action that it records.
 */
import type { Actor, Origin } from '#kernel/actor.ts';
import { canonical } from '#kernel/canonical.ts';
import { MINUTE } from '#kernel/clock.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { networkOf } from '#platform/security/throttles.ts';
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

/** Actions of which only ten a minute and network are written: guests can fail as often as they like. */
const guestFailures: ReadonlySet<string> = new Set([
  'auth.signin_failed',
  'auth.second_factor_failed',
]);
const MOST_FAILURES = 10;
/** Enough for an attack from many networks; beyond it the oldest are forgotten. */
const MAX_NETWORKS = 10_000;

const counts = new WeakMap<object, FailureCount>();
/** Each transaction is an object of its own, so they share one count. */
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

/** Null for a failure that is not written; else how many of its network were not since the last one. */
function countFailure(db: Tx | Db, { actor, origin, action }: AuditEvent): number | null {
  if (actor !== null || origin === null || !guestFailures.has(action)) return 0;
  const key = db.isTransaction ? TRANSACTIONS : db;
  const count = counts.get(key) ?? openFailureCount();
  counts.set(key, count);
  return count.take(`${action} ${networkOf(origin.ip)}`, Date.now());
}

interface FailureCount {
  /** Null when this one is only counted; else how many were since the last row. */
  take(key: string, now: number): number | null;
}

/** Counts in memory of one process. */
export function openFailureCount(): FailureCount {
  const known = new Map<string, { rows: number; left: number; endsAt: number }>();
  return {
    take(key, now) {
      const before = known.get(key);
      const left = before?.left ?? 0;
      const rows = before !== undefined && before.endsAt > now ? before.rows : 0;
      const endsAt = rows > 0 && before ? before.endsAt : now + MINUTE;
      const isFull = rows >= MOST_FAILURES;
      known.delete(key);
      known.set(key, { rows: isFull ? rows : rows + 1, left: isFull ? left + 1 : 0, endsAt });
      if (known.size > MAX_NETWORKS) known.delete(known.keys().next().value ?? '');
      return isFull ? null : left;
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Those of these fields whose values differ, with both values. */
export function differences(
  before: Fields,
  after: Fields,
  fields: readonly string[],
): Record<string, { readonly before: unknown; readonly after: unknown }> {
  const changed = fields.filter((field) => canonical(before[field]) !== canonical(after[field]));
  return Object.fromEntries(
    changed.map((field) => [field, { before: before[field], after: after[field] }]),
  );
}
