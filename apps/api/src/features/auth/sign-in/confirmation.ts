/**
 * Proving again that the signed-in user is the owner of the account, before a dangerous action: the
 * session then counts as just signed in for ten minutes.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { confirmIdentity as ConfirmIdentity } from '@cambist/contract/accounts';
import { invalid, unauthenticated } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { transaction } from '#platform/db/database.ts';
import { FRESH_MS, requireFresh } from '#platform/http/guards.ts';
import { hashSessionId } from '#platform/security/sessions.ts';
import { verifyPassword } from '../password/passwords.ts';
import {
  givenProof,
  isSecondFactorProved,
  reportRecoveryCodeUsed,
  WRONG_PROOF,
} from '../second-factor/proofs.ts';
import type { MemberContext } from '../sessions/request-context.ts';
import type { AuthDeps } from '../sessions/sessions.ts';
import * as store from '../store.ts';
import type { Attempts } from './attempts.ts';

/** @throws {Refusal} 422 by field; 429 after too many failures; 401 when the session ended meanwhile */
export async function confirmIdentity(
  deps: AuthDeps,
  attempts: Attempts,
  context: MemberContext,
  body: BodyOf<typeof ConfirmIdentity>,
): Promise<{ confirmed_until: string }> {
  const { actor, origin, session } = context;
  const user = await store.findUser(deps.db, actor.id);
  if (!user) throw unauthenticated();
  const method = givenProof(body);
  if (method === null) {
    throw invalid({ password: 'Confirm with one of password, code, recovery code or passkey.' });
  }
  if (method === 'password') {
    // A thief of session and password must not be able to remove the second factor.
    if (user.two_factor_at !== null) throw invalid({ password: 'Confirm with your second step.' });
    if (!(await isOwnPassword(deps, attempts, context, user, body.password ?? ''))) {
      throw invalid({ password: 'The password is not right.' });
    }
  } else if (!(await isSecondFactorProved(deps, attempts.codes, session, user.id, body, true))) {
    throw invalid({ [method]: WRONG_PROOF[method] });
  }
  if (method === 'recovery_code') {
    await transaction(deps.db, (tx) => reportRecoveryCodeUsed(deps, tx, user.id));
  }
  const now = deps.clock();
  await transaction(deps.db, async (tx) => {
    // A concurrent change of the password has ended this session too.
    if (!(await store.updateSessionConfirmed(tx, hashSessionId(session.id), now))) {
      throw unauthenticated();
    }
    await record(tx, { actor, origin, action: 'auth.confirmed' });
  });
  return { confirmed_until: new Date(now.getTime() + FRESH_MS).toISOString() };
}

/** Whether this is the user's own password; guesses count as at sign-in. @throws {Refusal} 429 */
async function isOwnPassword(
  { db }: Pick<AuthDeps, 'db'>,
  attempts: Attempts,
  { origin, actor }: MemberContext,
  user: store.UserRow,
  password: string,
): Promise<boolean> {
  // One budget for all sessions of the user: a thief of one has no other.
  const guess = { email: user.email, ip: origin.ip, browser: `signed in ${actor.id}` };
  attempts.check(guess);
  const right = await verifyPassword(password, user.password_hash);
  // Again: of many concurrent guesses those past the limit learn nothing.
  attempts.check(guess);
  if (right && !attempts.isClosed(guess)) {
    attempts.succeeded(guess);
    return true;
  }
  attempts.failed(guess);
  await record(db, { actor, origin, action: 'auth.confirmation_failed' });
  return false;
}

/**
 * Requires the current password where it is given, else a fresh confirmation. With a second factor the
 * confirmation must be fresh in any case: a thief may have session and password.
 * @throws {Refusal} 422 on `current_password`; 403 `confirmation_required`; 429
 */
export async function requireOwner(
  deps: Pick<AuthDeps, 'db' | 'clock'>,
  attempts: Attempts,
  context: MemberContext,
  user: store.UserRow,
  password: string | undefined,
): Promise<void> {
  if (password === undefined || user.two_factor_at !== null) {
    requireFresh(context.session, deps.clock());
  }
  if (password === undefined) return;
  if (await isOwnPassword(deps, attempts, context, user, password)) return;
  throw invalid({ current_password: 'The current password is not right.' });
}
