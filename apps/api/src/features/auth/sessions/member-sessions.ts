/** The sessions of people who are signed in: how they begin, are found and end. */
import type { User } from '@cambist/contract/accounts';
import type { Actor, Origin } from '#kernel/actor.ts';
import { HOUR } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { Refusal } from '#kernel/refusal.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import {
  hashSessionId,
  newSessionId,
  openSession,
  type MemberSession,
  type Session,
  type SessionBook,
} from '#platform/security/sessions.ts';
import { tellSessionsEnded } from '#platform/security/session-ends.ts';
import { purgeBrowsers, rememberBrowser } from '../sign-in/known-browsers.ts';
import { forgetOldDevices, noteNewSignIn } from '../sign-in/new-sign-in.ts';
import * as store from '../store.ts';

export type AuthDeps = Pick<Deps, 'config' | 'clock' | 'db' | 'keys' | 'jobs' | 'published'>;

/** What a session notes of the browser it was opened in. */
export interface Visit {
  readonly origin: Origin;
  readonly userAgent: string;
  /** The session that the request came with; it ends. */
  readonly session: Session | null;
  readonly cookieHeader: string | undefined;
}

export interface SignedIn {
  readonly user: User;
  readonly session: Session;
}

const USER_AGENT_LENGTH = 300;
/** More nobody uses; a script that signs in again and again would else fill the table and the page. */
const MOST_SESSIONS = 50;

/** The table of sessions, for the guards. */
export function memberSessions(db: Db): SessionBook {
  return {
    find: (idHash) => store.findSession(db, idHash),
    touch: (idHash, now) => store.updateSessionUse(db, idHash, now),
    seen: (actor, now) => store.updateLastSeen(db, actor.id, now),
    haveEnded: (idHashes, ms) => store.haveEnded(db, idHashes, ms),
  };
}

/** The session of these cookies, or a new guest's, whatever page the request comes from. */
export function sessionOf(
  { keys, config, clock, db }: Pick<AuthDeps, 'keys' | 'config' | 'clock' | 'db'>,
  cookies: string | undefined,
) {
  return openSession({ keys, config, book: memberSessions(db) }, cookies, clock());
}

/** Deletes sessions past every limit, and devices that nobody used for long. */
export async function purgeSessions(
  { db, config }: Pick<AuthDeps, 'db' | 'config'>,
  now: Date,
): Promise<number> {
  await forgetOldDevices(db, now);
  await purgeBrowsers({ db }, now);
  await store.forgetEndedSessions(db, new Date(now.getTime() - HOUR));
  const longestMs = Math.max(config.session.absoluteHours, config.session.adminAbsoluteHours);
  return store.deleteSessionsCreatedBefore(db, new Date(now.getTime() - longestMs * HOUR));
}

/** Open pages hear of it when the transaction commits. */
export async function endSession(tx: Tx, id: string, { actor }: MemberSession): Promise<void> {
  await store.deleteSession(tx, hashSessionId(id));
  await tellSessionsEnded(tx, actor.id);
}

/**
 * Ends all sessions of a person, and the sign-ins of theirs that wait for a
 * second step. `except` is the id of the one that stays, as its cookie holds it.
 * Answers how many ended.
 */
export async function endSessionsOf(
  tx: Tx,
  userId: Id,
  { except }: { readonly except?: string } = {},
): Promise<number> {
  const kept = except === undefined ? null : hashSessionId(except);
  const ended = await store.deleteSessionsOf(tx, userId, kept);
  await store.deletePendingSignIns(tx, userId);
  await tellSessionsEnded(tx, userId);
  return ended;
}

/** The guards put one on every member's request. */
export function sessionOfMember({ session }: Pick<Visit, 'session'>): Session {
  if (!session?.member) throw new Error('A member without a session.');
  return session;
}

/**
 * The person of a session, locked until the transaction ends, for whatever changes their account.
 * A reset, an admin or a deletion that came first has ended the session; one that comes at this
 * moment waits, and ends what begins here.
 * @throws {Refusal} 401
 */
export async function lockOwner(tx: Tx, { id, member }: Session): Promise<store.UserRow> {
  const user = member === null ? undefined : await store.lockUser(tx, member.actor.id);
  const open = user && (await store.lockSession(tx, user.id, hashSessionId(id)));
  if (!user || !open || user.disabled_at !== null) {
    throw new Refusal(401, 'unauthenticated', 'Unauthenticated.');
  }
  return user;
}

interface Beginning {
  readonly remember: boolean;
  /** When the person last proved who they are; now, unless an older session goes on under the new id. */
  readonly confirmedAt?: Date;
}

/** A new id for whoever has just proved who they are; the old one opens nothing any more. */
export async function startSession(
  deps: AuthDeps,
  tx: Tx,
  { origin, userAgent, session: before, cookieHeader }: Visit,
  actor: Actor,
  { remember, confirmedAt }: Beginning,
): Promise<Session> {
  const now = deps.clock();
  const confirmed = confirmedAt ?? now;
  const id = newSessionId(deps.keys, 'm', now);
  if (before?.member) await endSession(tx, before.id, before.member);
  await store.insertSession(tx, {
    id_hash: hashSessionId(id),
    user_id: actor.id,
    remember,
    ip: origin.ip,
    user_agent: userAgent.slice(0, USER_AGENT_LENGTH),
    created_at: now,
    last_used_at: now,
    confirmed_at: confirmed,
  });
  const ended = await store.deleteOldestSessions(tx, actor.id, MOST_SESSIONS);
  if (ended > 0) await tellSessionsEnded(tx, actor.id);
  await noteNewSignIn(deps, tx, actor, { origin, userAgent });
  const browserTokens = await rememberBrowser(deps, tx, actor.id, cookieHeader);
  await store.updateLastSeen(tx, actor.id, now);
  const hasTwoFactor = await store.hasTwoFactor(tx, actor.id);
  return {
    id,
    browserTokens,
    member: {
      actor,
      hasTwoFactor,
      remember,
      createdAt: now,
      lastUsedAt: now,
      confirmedAt: confirmed,
    },
  };
}
