/** Somebody's open sessions: listed with device, network address and time of use, and ended. */
import type { SessionNote } from '@cambist/contract/accounts';
import type { Actor, Origin } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import { notFound } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import { tellSessionsEnded } from '#platform/security/session-ends.ts';
import { hashSessionId, isAlive, newGuest, type Session } from '#platform/security/sessions.ts';
import { deviceOf } from '../sign-in/device.ts';
import { endSessionsOf, lockOwner, type AuthDeps } from './member-sessions.ts';
import type { Owner } from '../second-factor/second-factor.ts';
import * as store from '../store.ts';

/** Those that still open something; the one of `current` first, then by their last use. */
export async function listSessions(
  { db, clock, config }: Pick<AuthDeps, 'db' | 'clock' | 'config'>,
  userId: Id,
  current: Session | null,
): Promise<SessionNote[]> {
  const user = await store.findUser(db, userId);
  if (!user || user.deleted_at) throw notFound();
  const now = clock();
  const currentHash = current === null ? null : hashSessionId(current.id);
  const rows = await store.listSessionsOf(db, userId);
  return rows
    .filter((row) =>
      isAlive(
        config.session,
        {
          actor: user,
          remember: row.remember,
          createdAt: row.created_at,
          lastUsedAt: row.last_used_at,
        },
        now,
      ),
    )
    .map((row) => ({
      id: row.id,
      current: currentHash?.equals(row.id_hash) ?? false,
      device: deviceOf(row.user_agent),
      ip: row.ip,
      remember: row.remember,
      created_at: row.created_at.toISOString(),
      last_used_at: row.last_used_at.toISOString(),
    }))
    .toSorted((one, other) => Number(other.current) - Number(one.current));
}

/** Ends one of one's own; answers the session that goes on. @throws {Refusal} 404; 401 as below */
export async function endOne(
  deps: AuthDeps,
  { actor, origin, session }: Owner,
  id: Id,
): Promise<Session> {
  const idHash = await transaction(deps.db, async (tx) => {
    await lockOwner(tx, session);
    const ended = await store.deleteSessionById(tx, actor.id, id);
    if (!ended) throw notFound();
    await tellSessionsEnded(tx, actor.id);
    await noteEnd(tx, actor, origin, 1);
    return ended;
  });
  const isOwn = hashSessionId(session.id).equals(idHash);
  return isOwn ? newGuest(deps.keys, deps.clock()) : session;
}

/**
 * Ends all of one's own but the one in use. Of two browsers that do so at once one stays.
 * @throws {Refusal} 401 when the one in use ended meanwhile
 */
export async function endOthers(deps: AuthDeps, { actor, origin, session }: Owner): Promise<void> {
  await transaction(deps.db, async (tx) => {
    await lockOwner(tx, session);
    const ended = await endSessionsOf(tx, actor.id, { except: session.id });
    await noteEnd(tx, actor, origin, ended);
  });
}

async function noteEnd(tx: Tx, actor: Actor, origin: Origin, ended: number): Promise<void> {
  await record(tx, {
    actor,
    origin,
    action: 'auth.sessions_ended',
    subject_kind: 'user',
    subject_id: actor.id,
    data: { sessions_ended: ended },
  });
}
