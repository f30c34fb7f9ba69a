/**
 * The second step of a sign-in. Until it is done there is no session: only a
 * note that this browser has given the right password, for ten minutes and five
 * tries. A passkey alone needs no first step, since its device checks its owner.
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
import * as challenges from './challenge-store.ts';
import type { CodeTries } from './code-tries.ts';
import {
  endSession,
  startSession,
  type AuthDeps,
  type SignedIn,
  type Visit,
} from '../sessions/member-sessions.ts';
import { authenticationOptions, checkPasskey, type WebAuthnJson } from './passkeys.ts';
import { wireUser } from '../people.ts';
import { proveByCode, proveByRecoveryCode } from './second-factor-proofs.ts';
import { postSecurityChange } from '../security-emails.ts';
import * as store from './second-factor-store.ts';
import { actorOf, findUser, lockUser } from '../store.ts';

type Answer = BodyOf<typeof twoFactorChallenge>;
type Method = 'code' | 'recovery_code' | 'passkey';

const PENDING_MS = 10 * MINUTE;
const TRIES = 5;

/**
 * Notes that this browser has done the first step and is asked for the second.
 * It gets a new guest's session, so that one that was planted in it before is
 * worth nothing.
 */
export async function askSecondStep(
  deps: AuthDeps,
  tx: Tx,
  { session: before }: Visit,
  { userId, remember }: challenges.PendingSignIn,
): Promise<Session> {
  const now = deps.clock();
  if (before?.member) await endSession(tx, before.id, before.member);
  const session = newGuest(deps.keys, now);
  const expiresAt = new Date(now.getTime() + PENDING_MS);
  await challenges.insertPending(tx, hashSessionId(session.id), { userId, remember }, expiresAt);
  return session;
}

/** By which ways this person can do the second step. */
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
 * Ends a sign-in with its second step.
 * @throws {Refusal} 422 on the proof; 409 `sign_in_again` when there is nothing
 *   to end, too late or after too many tries; 429
 */
export async function finishSecondStep(
  deps: AuthDeps,
  tries: CodeTries,
  visit: Visit,
  answer: Answer,
): Promise<SignedIn> {
  const method = methodOf(answer);
  const session = sessionOfVisit(visit);
  const hash = hashSessionId(session.id);
  const pending = await challenges.countPendingTry(deps.db, hash, {
    now: deps.clock(),
    most: TRIES,
  });
  if (pending === null) throw signInAgain();
  const { userId, remember } = pending;
  if (!(await isProved(deps, tries, session, userId, answer))) {
    const { origin } = visit;
    await record(deps.db, {
      actor: null,
      origin,
      action: 'auth.second_factor_failed',
      subject_kind: 'user',
      subject_id: userId,
      data: { method },
    });
    throw invalid({ [method]: REFUSED[method] });
  }
  return begin(deps, visit, {
    userId,
    remember,
    way: method,
    // Gone when the sign-in was ended meanwhile, or a change of password or factors ended all of them.
    async requireProof(tx) {
      if (!(await challenges.deletePending(tx, hash))) throw signInAgain();
    },
  });
}

/** Whoever begins again leaves nothing behind that a code alone would end. Their guest's session stays. */
export async function endSecondStep({ db }: Pick<AuthDeps, 'db'>, visit: Visit): Promise<void> {
  await challenges.deletePending(db, hashSessionId(sessionOfVisit(visit).id));
}

/** Whether this browser has done the first step, for whom, and by which ways it may still try the second. */
export async function waitingSecondStep(
  { db, clock }: Pick<AuthDeps, 'db' | 'clock'>,
  { session }: Visit,
): Promise<ReplyOf<typeof getTwoFactorChallenge>['data']> {
  const limits = { now: clock(), most: TRIES };
  const pending = session && (await challenges.findPending(db, hashSessionId(session.id), limits));
  const user = pending && (await findUser(db, pending.userId));
  if (!user) return { waiting: false, methods: [], email: null };
  const { methods } = await secondStepOf(db, user.id);
  return { waiting: true, methods, email: user.email };
}

/** Options for the browser's dialog: for a confirmation, for the second step, or for a passkey alone. */
export async function askPasskey(
  deps: AuthDeps,
  visit: Visit,
  alone: boolean,
): Promise<WebAuthnJson> {
  const session = sessionOfVisit(visit);
  if (session.member) {
    const userId = session.member.actor.id;
    return authenticationOptions(deps, session, { userId, verified: true });
  }
  const pending = alone
    ? null
    : await challenges.findPending(deps.db, hashSessionId(session.id), {
        now: deps.clock(),
        most: TRIES,
      });
  return authenticationOptions(deps, session, {
    userId: pending?.userId ?? null,
    verified: pending === null,
  });
}

/** Signs in by a passkey alone. @throws {Refusal} 422 on `passkey` */
export async function signInByPasskey(
  deps: AuthDeps,
  visit: Visit,
  { passkey, remember = false }: BodyOf<typeof passkeySignIn>,
): Promise<SignedIn> {
  const session = sessionOfVisit(visit);
  const known = await checkPasskey(deps, session, passkey, { userId: null, verified: true });
  if (known === null) {
    await record(deps.db, {
      actor: null,
      origin: visit.origin,
      action: 'auth.signin_failed',
      data: { way: 'passkey' },
    });
    throw passkeyRefused();
  }
  return begin(deps, visit, {
    userId: known.user_id,
    remember,
    way: 'passkey',
    async requireProof(tx) {
      const left = await store.listPasskeys(tx, known.user_id);
      if (!left.some(({ id }) => id === known.id)) throw passkeyRefused();
    },
  });
}

const REFUSED: Readonly<Record<Method, string>> = {
  code: 'This code is not right. Try the one shown now.',
  recovery_code: 'This recovery code is not right, or was used before.',
  passkey: 'This passkey was not accepted.',
};

async function isProved(
  deps: AuthDeps,
  tries: CodeTries,
  session: Session,
  userId: Id,
  { code, recovery_code, passkey }: Answer,
): Promise<boolean> {
  if (code !== undefined) return proveByCode(deps, tries, userId, code);
  if (recovery_code !== undefined) return proveByRecoveryCode(deps, tries, userId, recovery_code);
  if (passkey === undefined) return false;
  // The password was the other factor, so a key that checks nobody will do.
  return (await checkPasskey(deps, session, passkey, { userId, verified: false })) !== null;
}

/** @throws {Refusal} 422 unless there is exactly one proof. */
function methodOf({ code, recovery_code, passkey }: Answer): Method {
  const given = Object.entries({ code, recovery_code, passkey }).filter(
    ([, proof]) => proof !== undefined,
  );
  if (given.length === 0) throw invalid({ code: 'The code field is required.' });
  if (given.length > 1) throw invalid({ code: 'Give one of code, recovery code and passkey.' });
  return given[0]?.[0] as Method;
}

interface Beginning {
  readonly userId: Id;
  readonly remember: boolean;
  readonly way: Method;
  /** Throws where what was proved stands no more. */
  readonly requireProof: (tx: Tx) => Promise<void>;
}

/**
 * Opens the session. The person first, as everybody does who ends their sessions: whoever takes back
 * at this moment what was proved comes before and is seen here, or comes after and ends what begins.
 */
async function begin(
  deps: AuthDeps,
  visit: Visit,
  { userId, remember, way, requireProof }: Beginning,
): Promise<SignedIn> {
  const signedIn = await transaction(deps.db, async (tx) => {
    const user = await lockUser(tx, userId);
    await requireProof(tx);
    if (!user || user.disabled_at !== null) {
      throw invalid({ [way]: 'These credentials do not match our records.' });
    }
    if (way === 'recovery_code') await tellOfRecoveryCode(deps, tx, userId);
    const actor = actorOf(user);
    const session = await startSession(deps, tx, visit, actor, { remember });
    await record(tx, { actor, origin: visit.origin, action: 'auth.signin', data: { way } });
    return { user, session };
  });
  return { user: await wireUser(deps, signedIn.user), session: signedIn.session };
}

/** A recovery code may be the last but one that its owner had, or a thief's first. */
export async function tellOfRecoveryCode(deps: AuthDeps, tx: Tx, userId: Id): Promise<void> {
  const user = await lockUser(tx, userId);
  if (!user) return;
  const left = await store.countRecoveryCodes(tx, userId);
  await postSecurityChange(deps, tx, user, { kind: 'recovery-code-used', left });
}

/** The guards put one on every request of the scopes that ask here. */
function sessionOfVisit({ session }: Visit): Session {
  if (session === null) throw new Error('A sign-in without a session.');
  return session;
}

function passkeyRefused(): Refusal {
  return invalid({ passkey: REFUSED.passkey });
}

function signInAgain(): Refusal {
  return new Refusal(409, 'sign_in_again', 'This sign-in has ended. Sign in again.');
}
