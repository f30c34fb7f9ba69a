/**
 * The second step of a sign-in. Until it is done there is no session, only a record that this browser has
 * done the first step, for ten minutes and five tries. A passkey alone needs no first step, since its
 * device verifies its user.
 */
import type { SecondStep } from '@cambist/contract/accounts';
import type {
  getTwoFactorChallenge,
  passkeySignIn,
  twoFactorChallenge,
} from '@cambist/contract/second-factor';
import type { BodyOf, ReplyOf } from '@cambist/contract/endpoint';
import { MINUTE } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { invalid, Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { transaction, type Db, type Tx } from '#platform/db/database.ts';
import { hashSessionId, newGuest, type Session } from '#platform/security/sessions.ts';
import type { RequestContext } from '../sessions/request-context.ts';
import { endSession, startSession, type AuthDeps, type SignedIn } from '../sessions/sessions.ts';
import type { CodeTries } from '../sign-in/attempts.ts';
import { actorOf, findUser, lockUser } from '../store.ts';
import { recordUserEvent, toWireUser } from '../users.ts';
import * as challenges from './challenge-store.ts';
import { authenticationOptions, checkPasskey, type WebAuthnJson } from './passkeys.ts';
import {
  givenProof,
  isSecondFactorProved,
  passkeyNotAccepted,
  reportRecoveryCodeUsed,
  WRONG_PROOF,
  type Method,
} from './proofs.ts';
import * as store from './store.ts';

const PENDING_MS = 10 * MINUTE;
const TRIES = 5;

/** Records that the first step is done, under a new guest session, against session fixation. */
export async function requestSecondStep(
  deps: AuthDeps,
  tx: Tx,
  { session: before }: RequestContext,
  { userId, remember }: challenges.PendingSignIn,
): Promise<Session> {
  const now = deps.clock();
  if (before.member) await endSession(tx, before.id, before.member);
  const session = newGuest(deps.keys, now);
  const expiresAt = new Date(now.getTime() + PENDING_MS);
  await challenges.insertPending(tx, hashSessionId(session.id), { userId, remember }, expiresAt);
  return session;
}

/** The methods of the second step that this user has. */
export async function secondStepOf(db: Db, userId: Id): Promise<SecondStep> {
  const totp = await store.hasTotp(db, userId);
  const passkeys = await store.listPasskeys(db, userId);
  const recoveryCodes = await store.countRecoveryCodes(db, userId);
  return {
    two_factor: true,
    methods: [
      ...(totp ? (['totp'] as const) : []),
      ...(passkeys.length === 0 ? [] : (['passkey'] as const)),
      ...(recoveryCodes === 0 ? [] : (['recovery_code'] as const)),
    ],
  };
}

/**
 * Finishes a sign-in with its second step.
 * @throws {Refusal} 422 on the proof; 409 `sign_in_again` when no sign-in waits, or it has expired or used
 *   up its tries; 429
 */
export async function finishSecondStep(
  deps: AuthDeps,
  tries: CodeTries,
  context: RequestContext,
  body: BodyOf<typeof twoFactorChallenge>,
): Promise<SignedIn> {
  const method = givenProof(body);
  if (method === null) {
    throw invalid({ code: 'Give exactly one of code, recovery code and passkey.' });
  }
  const hash = hashSessionId(context.session.id);
  const limits = { now: deps.clock(), maxTries: TRIES };
  const pending = await challenges.countPendingTry(deps.db, hash, limits);
  if (pending === null) throw signInAgain();
  const { userId, remember } = pending;
  // The password was one factor, so a passkey that has not verified its user is enough.
  if (!(await isSecondFactorProved(deps, tries, context.session, userId, body, false))) {
    const guest = { actor: null, origin: context.origin };
    await recordUserEvent(deps.db, 'auth.second_factor_failed', { id: userId }, guest, { method });
    throw invalid({ [method]: WRONG_PROOF[method] });
  }
  return finishSignIn(deps, context, {
    userId,
    remember,
    way: method,
    // Gone when the sign-in was ended meanwhile, or by a change of the password or the factors.
    async requireProof(tx) {
      if (!(await challenges.deletePending(tx, hash))) throw signInAgain();
    },
  });
}

/**
 * Whether a sign-in of this session waits for its second step, whose, and which methods it accepts. A
 * request from a foreign page has no session.
 */
export async function pendingSecondStep(
  deps: Pick<AuthDeps, 'db' | 'clock'>,
  session: Session | null,
): Promise<ReplyOf<typeof getTwoFactorChallenge>['data']> {
  const pending = session && (await findPending(deps, session));
  const user = pending && (await findUser(deps.db, pending.userId));
  if (!user) return { waiting: false, methods: [], email: null };
  const { methods } = await secondStepOf(deps.db, user.id);
  return { waiting: true, methods, email: user.email };
}

/** Options for the browser's dialog: for a confirmation, for the second step, or for a passkey alone. */
export async function passkeyOptions(
  deps: AuthDeps,
  { session }: RequestContext,
  alone: boolean,
): Promise<WebAuthnJson> {
  if (session.member) {
    const userId = session.member.actor.id;
    return authenticationOptions(deps, session, { userId, verified: true });
  }
  const pending = alone ? null : await findPending(deps, session);
  return authenticationOptions(deps, session, {
    userId: pending?.userId ?? null,
    verified: pending === null,
  });
}

function findPending({ db, clock }: Pick<AuthDeps, 'db' | 'clock'>, { id }: Session) {
  return challenges.findPending(db, hashSessionId(id), { now: clock(), maxTries: TRIES });
}

/** Signs in with a passkey alone. @throws {Refusal} 422 on `passkey` */
export async function signInWithPasskey(
  deps: AuthDeps,
  context: RequestContext,
  { passkey, remember = false }: BodyOf<typeof passkeySignIn>,
): Promise<SignedIn> {
  const { session, origin } = context;
  const known = await checkPasskey(deps, session, passkey, { userId: null, verified: true });
  if (known === null) {
    const data = { way: 'passkey' };
    await record(deps.db, { actor: null, origin, action: 'auth.signin_failed', data });
    throw passkeyNotAccepted();
  }
  return finishSignIn(deps, context, {
    userId: known.user_id,
    remember,
    way: 'passkey',
    async requireProof(tx) {
      const left = await store.listPasskeys(tx, known.user_id);
      if (!left.some(({ id }) => id === known.id)) throw passkeyNotAccepted();
    },
  });
}

interface ProvedSignIn {
  readonly userId: Id;
  readonly remember: boolean;
  readonly way: Method;
  /** Throws when the proof is no longer valid. */
  readonly requireProof: (tx: Tx) => Promise<void>;
}

/**
 * Starts the session. Locks the user first, as everything does that ends their sessions: a concurrent
 * removal of the proof comes either before, and is seen here, or after, and ends the new session.
 */
async function finishSignIn(
  deps: AuthDeps,
  context: RequestContext,
  { userId, remember, way, requireProof }: ProvedSignIn,
): Promise<SignedIn> {
  const { user, session } = await transaction(deps.db, async (tx) => {
    const user = await lockUser(tx, userId);
    await requireProof(tx);
    if (!user || user.disabled_at !== null) {
      throw invalid({ [way]: 'These credentials do not match our records.' });
    }
    if (way === 'recovery_code') await reportRecoveryCodeUsed(deps, tx, userId);
    const session = await startSession(deps, tx, context, user, { remember });
    const { origin } = context;
    await record(tx, { actor: actorOf(user), origin, action: 'auth.signin', data: { way } });
    return { user, session };
  });
  return { user: await toWireUser(deps, user), session };
}

function signInAgain(): Refusal {
  return new Refusal(409, 'sign_in_again', 'This sign-in has ended. Sign in again.');
}
