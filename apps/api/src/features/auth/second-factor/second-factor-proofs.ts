/** Proofs by a second factor: of whoever ends a sign-in, and of whoever confirms it is them. */
import type { Id } from '#kernel/id.ts';
import type { Session } from '#platform/security/sessions.ts';
import type { CodeTries } from './code-tries.ts';
import type { AuthDeps } from '../sessions/member-sessions.ts';
import { checkPasskey, type WebAuthnJson } from './passkeys.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { openSecret } from './second-factor.ts';
import * as store from './second-factor-store.ts';
import { stepOf } from './totp.ts';

/** A code of the authenticator app; each works once, also when it is sent twice at once. @throws {Refusal} 429 */
export async function proveByCode(
  deps: AuthDeps,
  tries: CodeTries,
  userId: Id,
  code: string,
): Promise<boolean> {
  tries.count(userId);
  const totp = await store.findTotp(deps.db, userId);
  if (!totp || totp.confirmed_at === null) return false;
  const step = stepOf(openSecret(deps, totp), code, deps.clock());
  if (step === null || !(await store.takeTotpStep(deps.db, userId, step))) return false;
  tries.succeeded(userId);
  return true;
}

/**
 * One of the recovery codes, which is used up by it. Its tries are not counted: nobody guesses 58
 * bits, and a thief of the password must not shut out an owner who holds the paper.
 */
export async function proveByRecoveryCode(
  deps: AuthDeps,
  tries: CodeTries,
  userId: Id,
  code: string,
): Promise<boolean> {
  const hash = hashRecoveryCode(deps.keys, userId, code);
  if (!(await store.takeRecoveryCode(deps.db, userId, hash, deps.clock()))) return false;
  tries.succeeded(userId);
  return true;
}

/** A passkey of this person that signed this session's challenge; its device has checked who holds it. */
export async function provePasskey(
  deps: AuthDeps,
  session: Session,
  userId: Id,
  passkey: WebAuthnJson,
): Promise<boolean> {
  return (await checkPasskey(deps, session, passkey, { userId, verified: true })) !== null;
}
