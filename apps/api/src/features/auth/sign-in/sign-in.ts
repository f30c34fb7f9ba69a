/** Signing in with address and password, and signing out. */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { signIn as SignIn, SecondStep, User } from '@cambist/contract/accounts';
import type { ProviderName } from '@cambist/contract/providers';
import type { Actor } from '#kernel/actor.ts';
import { invalid, type Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import { newGuest, type Session } from '#platform/security/sessions.ts';
import { verifyPassword } from '../password/passwords.ts';
import { requestSecondStep, secondStepOf } from '../second-factor/second-step.ts';
import type { RequestContext } from '../sessions/request-context.ts';
import { endSession, startSession, type AuthDeps } from '../sessions/sessions.ts';
import * as store from '../store.ts';
import { normalizeEmail, toWireUser } from '../users.ts';
import type { Attempts } from './attempts.ts';
import { findKnownBrowser } from './known-browsers.ts';

export interface FirstStep {
  readonly answer: { data: User } | SecondStep;
  readonly session: Session;
}

/**
 * Signs in with address and password, or asks for the second step. An unknown address, a wrong password,
 * a disabled account and, in an unknown browser, an account under attack get the same answer after the
 * same work.
 * @throws {Refusal} 422 on `email`; 429 after too many failures
 */
export async function signIn(
  deps: AuthDeps,
  attempts: Attempts,
  context: RequestContext,
  body: BodyOf<typeof SignIn>,
): Promise<FirstStep> {
  const email = normalizeEmail(body.email);
  const { origin } = context;
  const browser = await findKnownBrowser(deps, email, context);
  const guess = { email, ip: origin.ip, browser };
  attempts.check(guess);
  const user = await store.findUserByEmail(deps.db, email);
  const right = await verifyPassword(body.password, user?.password_hash ?? null);
  // Again: of many concurrent guesses those past the limit learn nothing, right or wrong.
  attempts.check(guess);
  const closed = attempts.isClosed(guess);
  if (!user || !right || user.disabled_at || closed) {
    attempts.failed(guess);
    // Without the address: users type passwords into that field by mistake.
    await record(deps.db, {
      actor: null,
      origin,
      action: 'auth.signin_failed',
      ...(user ? { subject_kind: 'user', subject_id: user.id } : {}),
    });
    throw wrongCredentials();
  }
  attempts.succeeded(guess);

  const outcome = await transaction(deps.db, async (tx) => {
    // A concurrent change of the password or disabling of the account comes either before this lock, and
    // is seen here, or after it, and ends the session that starts here.
    const now = await store.lockUser(tx, user.id);
    if (!now || now.disabled_at !== null || now.password_hash !== user.password_hash) {
      throw wrongCredentials();
    }
    return finishFirstStep(deps, tx, context, now, body.remember ?? false);
  });
  if (outcome.second) {
    return { answer: await secondStepOf(deps.db, user.id), session: outcome.session };
  }
  return { answer: { data: await toWireUser(deps, outcome.user) }, session: outcome.session };
}

/** After the first step: starts the session, or asks for the second step. `way` is absent for a password. */
export async function finishFirstStep(
  deps: AuthDeps,
  tx: Tx,
  context: RequestContext,
  user: store.UserRow,
  remember: boolean,
  way?: ProviderName,
): Promise<{ user: store.UserRow; session: Session; second: boolean }> {
  if (user.two_factor_at !== null) {
    const session = await requestSecondStep(deps, tx, context, { userId: user.id, remember });
    return { user, session, second: true };
  }
  const session = await startSession(deps, tx, context, user, { remember });
  await record(tx, {
    actor: store.actorOf(user),
    origin: context.origin,
    action: 'auth.signin',
    ...(way ? { data: { way } } : {}),
  });
  return { user, session, second: false };
}

/** Ends the session of the request; the answer carries a new guest session. */
export async function signOut(
  deps: AuthDeps,
  actor: Actor | null,
  { session: { id, member }, origin }: RequestContext,
): Promise<Session> {
  if (member) {
    await transaction(deps.db, async (tx) => {
      await endSession(tx, id, member);
      await record(tx, { actor, origin, action: 'auth.signout' });
    });
  }
  return newGuest(deps.keys, deps.clock());
}

function wrongCredentials(): Refusal {
  return invalid({ email: 'These credentials do not match our records.' });
}
