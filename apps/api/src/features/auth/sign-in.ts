/** Signing in with address and password, and out. */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { signIn as SignIn } from '@cambist/contract/accounts';
import type { Actor } from '#kernel/actor.ts';
import { invalid } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { transaction } from '#platform/database.ts';
import { newGuest, type Session } from '#platform/sessions.ts';
import type { Attempts } from './attempts.ts';
import {
  endSession,
  startSession,
  type AuthDeps,
  type SignedIn,
  type Visit,
} from './member-sessions.ts';
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts';
import { normalized, wireUser } from './people.ts';
import * as store from './store.ts';

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
    return { user: await wireUser(deps, user), session };
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
