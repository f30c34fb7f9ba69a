/** Whether somebody who is signed in knows their account's password; guesses count as at sign-in. */
import { requireFresh } from '#platform/http/guards.ts';
import { invalid } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import type { Attempts } from '../sign-in/attempts.ts';
import type { AuthDeps, Visit } from '../sessions/member-sessions.ts';
import { verifyPassword } from './passwords.ts';
import { actorOf, type UserRow } from '../store.ts';

/** @throws {Refusal} 429 after too many failures */
export async function isOwnPassword(
  { db }: Pick<AuthDeps, 'db'>,
  attempts: Attempts,
  { origin, session }: Visit,
  user: UserRow,
  password: string,
): Promise<boolean> {
  // One budget for all sessions of the person: a thief of one has no other.
  const browser = `signed in ${session?.member?.actor.id ?? ''}`;
  const guess = { email: user.email, ip: origin.ip, browser };
  attempts.check(guess);
  const right = await verifyPassword(password, user.password_hash);
  // Again: of many guesses sent at once, those past the limit learn nothing.
  attempts.check(guess);
  if (right && !attempts.isClosed(guess)) {
    attempts.succeeded(guess);
    return true;
  }
  attempts.failed(guess);
  const action = 'auth.confirmation_failed';
  await record(db, { actor: actorOf(user), origin, action });
  return false;
}

/**
 * Lets a change of the account pass: by the current password where it is given,
 * else by a confirmation that is still fresh. Where there is a second factor the
 * confirmation must be fresh in any case: a thief may have session and password.
 * @throws {Refusal} 422 on `current_password`; 403 `confirmation_required`; 429
 */
export async function proveOwner(
  deps: Pick<AuthDeps, 'db' | 'clock'>,
  attempts: Attempts,
  visit: Visit,
  user: UserRow,
  password: string | undefined,
): Promise<void> {
  if (password === undefined || user.two_factor_at !== null) {
    requireFresh(visit.session, deps.clock());
  }
  if (password === undefined) return;
  if (await isOwnPassword(deps, attempts, visit, user, password)) return;
  throw invalid({ current_password: 'The current password is not right.' });
}
