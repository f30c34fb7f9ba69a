/** Signing in with address and password, and out. */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { signIn as SignIn, SecondStep, User } from '@cambist/contract/accounts';
import type { ProviderName } from '@cambist/contract/providers';
import type { Actor } from '#kernel/actor.ts';
import { invalid, type Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import { newGuest, type Session } from '#platform/security/sessions.ts';
import type { Attempts } from './attempts.ts';
import { askForLink, findKnownBrowser } from './known-browsers.ts';
import {
  endSession,
  startSession,
  type AuthDeps,
  type Visit,
} from '../sessions/member-sessions.ts';
import { hashPassword, isOutdated, verifyPassword } from '../password/passwords.ts';
import { normalized, wireUser } from '../people.ts';
import { askSecondStep, secondStepOf } from '../second-factor/second-step.ts';
import * as store from '../store.ts';

export interface FirstStep {
  readonly answer: { data: User } | SecondStep;
  readonly session: Session;
}

/**
 * Signs in with address and password, or asks for the second step. An unknown address, a wrong
 * password, a disabled account and, in a browser that it does not know, an account under attack get
 * the same answer after the same work.
 * @throws {Refusal} 422 on `email`; 429 after too many failures.
 */
export async function signIn(
  deps: AuthDeps,
  attempts: Attempts,
  visit: Visit,
  body: BodyOf<typeof SignIn>,
): Promise<FirstStep> {
  const email = normalized(body.email);
  const { origin } = visit;
  const browser = await findKnownBrowser(deps, email, visit);
  const guess = { email, ip: origin.ip, browser };
  attempts.check(guess);
  // PostgreSQL would not know such an address, and the work must stay the same.
  const user = await store.findUserByEmail(deps.db, email);
  const right = await verifyPassword(body.password, user?.password_hash ?? null);
  // Again: of many guesses sent at once, those past the limit learn nothing, right or wrong.
  attempts.check(guess);
  const closed = attempts.isClosed(guess);
  if (!user || !right || user.disabled_at || closed) {
    attempts.failed(guess);
    if (closed && attempts.mayAskForLink(email)) await askForLink(deps, origin, email);
    // The address is not kept: people type passwords into that field.
    await record(deps.db, {
      actor: null,
      origin,
      action: 'auth.signin_failed',
      ...(user ? { subject_kind: 'user', subject_id: user.id } : {}),
    });
    throw wrong();
  }
  attempts.succeeded(guess);
  const { password_hash: verified } = user;
  const outdated = verified !== null && isOutdated(verified);
  const newHash = outdated ? await hashPassword(body.password) : null;

  const outcome = await transaction(deps.db, async (tx) => {
    // Whoever changes the password or disables the account at this moment comes before or after
    // this, and then ends what begins here: no session outlives either.
    const now = await store.lockUser(tx, user.id);
    if (!now || now.disabled_at !== null || now.password_hash !== verified) throw wrong();
    if (newHash !== null) await store.updatePasswordHash(tx, user.id, newHash);
    return enter(deps, tx, visit, now, body.remember ?? false);
  });
  if (outcome.second) {
    return { answer: await secondStepOf(deps.db, user.id), session: outcome.session };
  }
  return { answer: { data: await wireUser(deps, outcome.user) }, session: outcome.session };
}

/** What follows the first step: a session, or the note that the second one is asked for. `way` is no password. */
export async function enter(
  deps: AuthDeps,
  tx: Tx,
  visit: Visit,
  user: store.UserRow,
  remember: boolean,
  way?: ProviderName,
): Promise<{ user: store.UserRow; session: Session; second: boolean }> {
  const actor = store.actorOf(user);
  if (user.two_factor_at !== null) {
    const session = await askSecondStep(deps, tx, visit, { userId: user.id, remember });
    return { user, session, second: true };
  }
  const session = await startSession(deps, tx, visit, actor, { remember });
  await record(tx, {
    actor,
    origin: visit.origin,
    action: 'auth.signin',
    ...(way ? { data: { way } } : {}),
  });
  return { user, session, second: false };
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

function wrong(): Refusal {
  return invalid({ email: 'These credentials do not match our records.' });
}
