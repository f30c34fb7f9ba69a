/** Accounts and sessions: signing up, in and out, and who is signed in. */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { signIn as SignIn, signUp as SignUp, User } from '@cambist/contract/accounts';
import { isPlainlySeen } from '@cambist/contract/visible-text';
import type { Actor, Origin } from '#kernel/actor.ts';
import { newId, type Id } from '#kernel/id.ts';
import { invalid, notFound, type Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { transaction, type Db, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import {
  hashSessionId,
  newGuest,
  newSessionId,
  openSession,
  type MemberSession,
  type Session,
  type SessionBook,
} from '#platform/sessions.ts';
import { tellSessionsEnded } from '#platform/session-ends.ts';
import type { Attempts } from './attempts.ts';
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts';
import * as store from './store.ts';

type AuthDeps = Pick<Deps, 'config' | 'clock' | 'db' | 'keys'>;

/** What a session notes of the browser it was opened in. */
export interface Visit {
  readonly origin: Origin;
  readonly userAgent: string;
  /** The session that the request came with; it ends. */
  readonly session: Session | null;
}

interface SignedIn {
  readonly user: User;
  readonly session: Session;
}

const USER_AGENT_LENGTH = 300;

/** The table of sessions, for the guards. */
export function memberSessions(db: Db): SessionBook {
  return {
    find: (idHash) => store.findSession(db, idHash),
    touch: (idHash, now) => store.updateSessionUse(db, idHash, now),
    seen: (actor, now) => store.updateLastSeen(db, actor.id, now),
  };
}

/** The session of these cookies, or a new guest's, whatever page the request comes from. */
export function sessionOf({ keys, config, clock, db }: AuthDeps, cookies: string | undefined) {
  return openSession({ keys, config, book: memberSessions(db) }, cookies, clock());
}

/**
 * Opens an account and signs its owner in.
 * @throws {Refusal} 422 on the field that cannot be accepted; a taken address among them.
 */
export async function signUp(
  deps: AuthDeps,
  visit: Visit,
  body: BodyOf<typeof SignUp>,
): Promise<SignedIn> {
  const name = body.name.trim();
  const email = normalized(body.email);
  checkSignUp(name, body);
  if (await store.findUserByEmail(deps.db, email)) throw emailTaken();
  const passwordHash = await hashPassword(body.password);
  const now = deps.clock();

  return transaction(deps.db, async (tx) => {
    const user = await createUser(tx, {
      name,
      email,
      passwordHash,
      now,
      termsAcceptedAt: now,
      ...(body.locale === undefined ? {} : { locale: body.locale }),
    });
    if (!user) throw emailTaken();
    const actor = store.actorOf(user);
    await record(tx, {
      actor,
      origin: visit.origin,
      action: 'auth.signup',
      subject_kind: 'user',
      subject_id: user.id,
    });
    return { user: wireUser(user), session: await startSession(deps, tx, visit, actor, false) };
  });
}

function checkSignUp(name: string, body: BodyOf<typeof SignUp>): void {
  const { password, password_confirmation: confirmation } = body;
  const wrong = {
    ...nameErrors(name),
    ...(confirmation !== undefined && confirmation !== password
      ? { password: 'The password confirmation does not match.' }
      : {}),
    ...(body.terms_accepted ? {} : { terms_accepted: 'The terms must be accepted.' }),
  };
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
}

/** The desk reads the name beside the one that is paid out to. */
function nameErrors(name: string): { name?: string } {
  if (name === '') return { name: 'The name field is required.' };
  if (isPlainlySeen(name)) return {};
  return { name: 'The name field contains characters that cannot be seen.' };
}

function emailTaken(): Refusal {
  return invalid({ email: 'The email has already been taken.' });
}

/**
 * Signs in with address and password. An unknown address, a wrong password and
 * a disabled account get the same answer after the same work.
 * @throws {Refusal} 422 on `email`; 429 after too many failures.
 */
export async function signIn(
  deps: AuthDeps,
  attempts: Attempts,
  visit: Visit,
  body: BodyOf<typeof SignIn>,
): Promise<SignedIn> {
  const email = normalized(body.email);
  attempts.check(email, visit.origin.ip);
  // PostgreSQL would not know such an address, and the work must stay the same.
  const user = await store.findUserByEmail(deps.db, email);
  const right = await verifyPassword(body.password, user?.password_hash ?? null);
  // Again: of many guesses sent at once, those past the limit learn nothing, right or wrong.
  attempts.check(email, visit.origin.ip);
  if (!user || !right || user.disabled_at) {
    attempts.failed(email, visit.origin.ip);
    // The address is not kept: people type passwords into that field.
    await record(deps.db, { actor: null, origin: visit.origin, action: 'auth.signin_failed' });
    throw invalid({ email: 'These credentials do not match our records.' });
  }
  attempts.succeeded(email, visit.origin.ip);
  const outdated = user.password_hash !== null && isOutdated(user.password_hash);
  const newHash = outdated ? await hashPassword(body.password) : null;

  return transaction(deps.db, async (tx) => {
    if (newHash !== null) await store.updatePasswordHash(tx, user.id, newHash);
    const actor = store.actorOf(user);
    const session = await startSession(deps, tx, visit, actor, body.remember ?? false);
    await record(tx, { actor, origin: visit.origin, action: 'auth.signin' });
    return { user: wireUser(user), session };
  });
}

/** Ends the session that the request came with; the answer carries a fresh guest's. */
export async function signOut(
  deps: AuthDeps,
  actor: Actor | null,
  { session, origin }: Visit,
): Promise<Session> {
  if (session?.member) {
    const { id, member } = session;
    await transaction(deps.db, async (tx) => {
      await endSession(tx, id, member);
      await record(tx, { actor, origin, action: 'auth.signout' });
    });
  }
  return newGuest(deps.keys, deps.clock());
}

/** The person as the wire shows them. */
export async function getUser(db: Db, id: Id): Promise<User> {
  const user = await store.findUser(db, id);
  if (!user) throw notFound();
  return wireUser(user);
}

export { hashPassword } from './passwords.ts';

/** How many people there are; none on a desk that was never started. */
export function countUsers(db: Db | Tx): Promise<number> {
  return store.countUsers(db);
}

export interface NewUser {
  readonly name: string;
  readonly email: string;
  /** Null for someone who cannot sign in with a password. */
  readonly passwordHash: string | null;
  readonly now: Date;
  readonly role?: 'user' | 'admin';
  readonly permissions?: readonly string[];
  readonly locale?: string;
  readonly emailVerifiedAt?: Date;
  readonly termsAcceptedAt?: Date;
}

/** Adds a person; undefined when the address is taken. Hash the password before the transaction. */
export async function createUser(tx: Tx, user: NewUser): Promise<store.UserRow | undefined> {
  return store.insertUser(tx, {
    id: newId(),
    name: user.name,
    email: normalized(user.email),
    password_hash: user.passwordHash,
    role: user.role ?? 'user',
    permissions: [...(user.permissions ?? [])],
    locale: user.locale ?? 'en',
    email_verified_at: user.emailVerifiedAt ?? null,
    terms_accepted_at: user.termsAcceptedAt ?? null,
    disabled_at: null,
    last_seen_at: null,
    created_at: user.now,
  });
}

/** Deletes sessions past every limit. */
export async function purgeSessions({ db, config }: AuthDeps, now: Date): Promise<number> {
  const longestMs = Math.max(config.session.absoluteHours, config.session.adminAbsoluteHours);
  return store.deleteSessionsCreatedBefore(db, new Date(now.getTime() - longestMs * 3_600_000));
}

/** Open pages hear of it when the transaction commits. */
async function endSession(tx: Tx, id: string, { actor }: MemberSession): Promise<void> {
  await store.deleteSession(tx, hashSessionId(id));
  await tellSessionsEnded(tx, actor.id);
}

/** A new id for whoever has just proved who they are; the old one opens nothing any more. */
async function startSession(
  deps: AuthDeps,
  tx: Tx,
  { origin, userAgent, session: before }: Visit,
  actor: Actor,
  remember: boolean,
): Promise<Session> {
  const now = deps.clock();
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
  });
  await store.updateLastSeen(tx, actor.id, now);
  return { id, member: { actor, remember, createdAt: now, lastUsedAt: now } };
}

function normalized(email: string): string {
  return email.trim().toLowerCase();
}

function wireUser(user: store.UserRow): User {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    email_verified_at: user.email_verified_at?.toISOString() ?? null,
    role: user.role,
    permissions: user.permissions,
    locale: user.locale,
    two_factor_enabled: false,
    created_at: user.created_at.toISOString(),
  };
}
