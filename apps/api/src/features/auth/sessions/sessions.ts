/** The sessions of signed-in users: how they start, are looked up, listed and ended. */
import type { SessionNote, User } from '@cambist/contract/accounts';
import DataLoader from 'dataloader';
import type { Actor } from '#kernel/actor.ts';
import { HOUR } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { notFound, unauthenticated } from '#kernel/refusal.ts';
import { transaction, type Db, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { requestContext, runForAll } from '#platform/http/request-context.ts';
import { notifySessionsEnded } from '#platform/security/session-ends.ts';
import {
  hashSessionId,
  isAlive,
  newGuest,
  newSessionId,
  openSession,
  type MemberSession,
  type Session,
  type SessionBook,
} from '#platform/security/sessions.ts';
import { emails } from '../emails.ts';
import { deviceOf } from '../sign-in/device.ts';
import { purgeBrowsers, rememberBrowser } from '../sign-in/known-browsers.ts';
import * as store from '../store.ts';
import { emailUser, recordUserEvent } from '../users.ts';
import type { MemberContext, RequestContext } from './request-context.ts';

export type AuthDeps = Pick<Deps, 'config' | 'clock' | 'db' | 'keys' | 'jobs' | 'published'>;

export interface SignedIn {
  readonly user: User;
  readonly session: Session;
}

const MOST_TOGETHER = 100;
const USER_AGENT_LENGTH = 300;
/** Bounds the table and the page against a script that signs in again and again. */
const MOST_SESSIONS = 50;

/** The table of sessions. */
function memberSessions(db: Db): SessionBook {
  return {
    async find(idHash) {
      const hash = idHash.toString('hex');
      return (await store.findSessions(db, [hash])).get(hash) ?? null;
    },
    touch: (idHash, now) => store.updateSessionUse(db, idHash, now),
    seen: (actor, now) => store.updateLastSeen(db, actor.id, now),
    haveEnded: (idHashes, ms) => store.haveEnded(db, idHashes, ms),
  };
}

/** The table of sessions, for the guards: what requests look up at the same moment is one query. */
export function openMemberSessions(db: Db): SessionBook {
  const open = () =>
    new DataLoader(
      (hashes: readonly string[]) =>
        runForAll(async () => {
          const found = await store.findSessions(db, hashes);
          return hashes.map((hash) => found.get(hash) ?? null);
        }),
      // After all requests that have arrived by now; nothing is remembered.
      { cache: false, maxBatchSize: MOST_TOGETHER, batchScheduleFn: setImmediate },
    );
  const [ordinary, urgent] = [open(), open()];
  return {
    ...memberSessions(db),
    find: (idHash) => (requestContext()?.urgent ? urgent : ordinary).load(idHash.toString('hex')),
  };
}

/** The session of these cookies, or a new guest session; unlike the guards, for requests from any page. */
export function sessionOf(
  { keys, config, clock, db }: Pick<AuthDeps, 'keys' | 'config' | 'clock' | 'db'>,
  cookies: string | undefined,
) {
  return openSession({ keys, config, book: memberSessions(db) }, cookies, clock());
}

/** Whose each of these sessions is, by its id as in the cookie; without those that have ended. One query. */
export async function actorsOf(
  { db, clock, config }: Pick<AuthDeps, 'db' | 'clock' | 'config'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Actor>> {
  const now = clock();
  const byHash = new Map(ids.map((id) => [hashSessionId(id).toString('hex'), id]));
  const found = await store.findSessions(db, [...byHash.keys()]);
  return new Map(
    [...found]
      .filter(([, session]) => isAlive(config.session, session, now))
      .map(([hash, { actor }]) => [byHash.get(hash) ?? '', actor]),
  );
}

/** Deletes sessions past every limit and browsers not used for long; returns how many sessions. */
export async function purgeSessions(
  { db, config }: Pick<AuthDeps, 'db' | 'config'>,
  now: Date,
): Promise<number> {
  await purgeBrowsers(db, now);
  await store.deleteEndedSessions(db, new Date(now.getTime() - HOUR));
  const longestMs = Math.max(config.session.absoluteHours, config.session.adminAbsoluteHours);
  return store.deleteSessionsCreatedBefore(db, new Date(now.getTime() - longestMs * HOUR));
}

/** Open pages are notified when the transaction commits. */
export async function endSession(tx: Tx, id: string, { actor }: MemberSession): Promise<void> {
  await store.deleteSession(tx, hashSessionId(id));
  await notifySessionsEnded(tx, actor.id);
}

/**
 * Ends all sessions of a user and their sign-ins that wait for a second step; returns how many sessions.
 * `except` is the id of a session that stays, as in its cookie.
 */
export async function endSessionsOf(
  tx: Tx,
  userId: Id,
  { except }: { readonly except?: string } = {},
): Promise<number> {
  const ended = await store.deleteSessionsOf(
    tx,
    userId,
    except === undefined ? null : hashSessionId(except),
  );
  await store.deletePendingSignIns(tx, userId);
  await notifySessionsEnded(tx, userId);
  return ended;
}

/**
 * Locks the session's user for a change of their account. If a password reset, an admin or a deletion
 * has ended the session first, this throws; one that comes later waits and ends what starts here.
 * @throws {Refusal} 401
 */
export async function lockSessionUser(tx: Tx, { id, member }: Session): Promise<store.UserRow> {
  const user = member === null ? undefined : await store.lockUser(tx, member.actor.id);
  const isOpen = user && (await store.lockSession(tx, user.id, hashSessionId(id)));
  if (!user || !isOpen || user.disabled_at !== null) {
    throw unauthenticated();
  }
  return user;
}

interface SessionStart {
  readonly remember: boolean;
  /** Now, unless an older session continues under the new id. */
  readonly confirmedAt?: Date;
}

/** Starts a session under a new id and ends the one of the request, against session fixation. */
export async function startSession(
  deps: AuthDeps,
  tx: Tx,
  context: RequestContext,
  user: store.UserRow,
  { remember, confirmedAt }: SessionStart,
): Promise<Session> {
  const { origin, userAgent, session: before } = context;
  const actor = store.actorOf(user);
  const now = deps.clock();
  const confirmed = confirmedAt ?? now;
  const id = newSessionId(deps.keys, 'm', now);
  if (before.member) await endSession(tx, before.id, before.member);
  await store.insertSession(tx, {
    id_hash: hashSessionId(id),
    user_id: user.id,
    remember,
    ip: origin.ip,
    user_agent: userAgent.slice(0, USER_AGENT_LENGTH),
    created_at: now,
    last_used_at: now,
    confirmed_at: confirmed,
  });
  const ended = await store.deleteOldestSessions(tx, user.id, MOST_SESSIONS);
  if (ended > 0) await notifySessionsEnded(tx, user.id);
  const browser = await rememberBrowser(deps, tx, user.id, context.cookieHeader);
  // Not for the first sign-in, nor where a session continues, as after a change of password.
  if (browser.isNew && user.last_seen_at !== null && confirmedAt === undefined) {
    const email = emails.newSignIn(user.name, deviceOf(userAgent), origin.ip, now);
    await emailUser(deps, tx, user, email);
  }
  await store.updateLastSeen(tx, user.id, now);
  return {
    id,
    browserTokens: browser.tokens,
    member: {
      actor,
      profile: store.profileOf(user),
      hasTwoFactor: user.two_factor_at !== null,
      remember,
      createdAt: now,
      lastUsedAt: now,
      confirmedAt: confirmed,
    },
  };
}

/** The user's open sessions: `current` first, then by their last use. */
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

/** Ends one of the user's sessions; returns the session that the request goes on with. @throws {Refusal} 404, 401 */
export async function endOneSession(
  deps: AuthDeps,
  context: MemberContext,
  id: Id,
): Promise<Session> {
  const { session, actor } = context;
  const idHash = await transaction(deps.db, async (tx) => {
    await lockSessionUser(tx, session);
    const ended = await store.deleteSessionById(tx, actor.id, id);
    if (!ended) throw notFound();
    await notifySessionsEnded(tx, actor.id);
    await recordUserEvent(tx, 'auth.sessions_ended', actor, context, { sessions_ended: 1 });
    return ended;
  });
  const isCurrent = hashSessionId(session.id).equals(idHash);
  return isCurrent ? newGuest(deps.keys, deps.clock()) : session;
}

/**
 * Ends the user's sessions except the current one. Of two browsers that do so at once one stays.
 * @throws {Refusal} 401
 */
export async function endOtherSessions(deps: AuthDeps, context: MemberContext): Promise<void> {
  const { session, actor } = context;
  await transaction(deps.db, async (tx) => {
    await lockSessionUser(tx, session);
    const ended = await endSessionsOf(tx, actor.id, { except: session.id });
    await recordUserEvent(tx, 'auth.sessions_ended', actor, context, { sessions_ended: ended });
  });
}

/** What a session knows of its user; the guards set one on every request of a member. */
export function memberOf({ session }: MemberContext): MemberSession {
  if (session.member === null) throw new Error('A member without a session.');
  return session.member;
}
