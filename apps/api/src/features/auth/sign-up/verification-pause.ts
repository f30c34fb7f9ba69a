/** The minute between two emails that prove an address, for each person. */
import { MINUTE, SECOND } from '#kernel/clock.ts';
import type { Tx } from '#platform/db/database.ts';
import { tooManyAttempts } from '#platform/security/throttles.ts';
import * as accounts from '../account/account-store.ts';
import type { AuthDeps } from '../sessions/member-sessions.ts';
import type * as store from '../store.ts';

const PAUSE_MS = MINUTE;

/** The moment of the account itself tells this email from all that follow. */
export async function countFirstEmail(tx: Tx, user: store.UserRow): Promise<void> {
  await accounts.updateUser(tx, user.id, { verification_sent_at: user.created_at });
}

/** @throws {Refusal} 429 when the last email is younger than a minute */
export async function countVerificationEmail(
  deps: AuthDeps,
  tx: Tx,
  user: store.UserRow,
): Promise<void> {
  const now = deps.clock();
  const before = new Date(now.getTime() - PAUSE_MS);
  if (await accounts.noteVerificationSent(tx, user.id, { now, before })) return;
  const waitedMs = now.getTime() - (user.verification_sent_at?.getTime() ?? now.getTime());
  throw tooManyAttempts(Math.max(1, Math.ceil((PAUSE_MS - waitedMs) / SECOND)));
}

/**
 * Counts the email to another address. Who mistyped their own as they signed up need not wait for the
 * minute: the first correction goes at once. That is one email more for each account, to an
 * address with limits of its own, and it counts for person and network as any other.
 * @throws {Refusal} 429 when the last email is younger than a minute
 */
export async function countCorrection(deps: AuthDeps, tx: Tx, user: store.UserRow): Promise<void> {
  if (!isFirstEmailTheLast(user)) return countVerificationEmail(deps, tx, user);
  await accounts.updateUser(tx, user.id, { verification_sent_at: deps.clock() });
}

/** Nothing was proved or sent since the account was opened. */
function isFirstEmailTheLast(user: store.UserRow): boolean {
  const sentAt = user.verification_sent_at?.getTime();
  return user.email_verified_at === null && sentAt === user.created_at.getTime();
}
