/** Proofs by a second factor: at the end of a sign-in, and before a dangerous action. */
import { invalid } from '#kernel/refusal.ts';
import type { Id } from '#kernel/id.ts';
import type { Tx } from '#platform/db/database.ts';
import type { Session } from '#platform/security/sessions.ts';
import { emailSecurityChange } from '../security-emails.ts';
import type { AuthDeps } from '../sessions/sessions.ts';
import type { CodeTries } from '../sign-in/attempts.ts';
import { lockUser } from '../store.ts';
import { hashRecoveryCode, totpStepOf } from './codes.ts';
import { checkPasskey, type WebAuthnJson } from './passkeys.ts';
import * as store from './store.ts';

const SEAL = 'totp';

export interface Proofs {
  readonly code?: string;
  readonly recovery_code?: string;
  readonly passkey?: WebAuthnJson;
}
export type Method = keyof Proofs;

export const WRONG_PROOF: Readonly<Record<Method, string>> = {
  code: 'This code is not right. Try the one shown now.',
  recovery_code: 'This recovery code is not right, or was used before.',
  passkey: 'This passkey was not accepted.',
};

/** Which proof was given; null unless it is exactly one. */
export function givenProof<Body extends object>(body: Body): keyof Body | null {
  const given = (Object.keys(body) as (keyof Body)[]).filter((name) => body[name] !== undefined);
  return given.length === 1 ? (given[0] ?? null) : null;
}

/**
 * Checks the one proof that was given. `verified` demands that the passkey's device has verified its
 * user, as it must where no password was given before.
 * @throws {Refusal} 429
 */
export async function isSecondFactorProved(
  deps: AuthDeps,
  tries: CodeTries,
  session: Session,
  userId: Id,
  { code, recovery_code, passkey }: Proofs,
  verified: boolean,
): Promise<boolean> {
  if (code !== undefined) return useTotpCode(deps, tries, userId, code);
  if (recovery_code !== undefined) return useRecoveryCode(deps, tries, userId, recovery_code);
  if (passkey === undefined) return false;
  return (await checkPasskey(deps, session, passkey, { userId, verified })) !== null;
}

/** Each code works once, also when it is sent twice at the same time. */
async function useTotpCode(
  deps: AuthDeps,
  tries: CodeTries,
  userId: Id,
  code: string,
): Promise<boolean> {
  tries.count(userId);
  const totp = await store.findTotp(deps.db, userId);
  if (!totp || totp.confirmed_at === null) return false;
  const step = totpStepOf(openSecret(deps, totp), code, deps.clock());
  if (step === null || !(await store.takeTotpStep(deps.db, userId, step))) return false;
  tries.succeeded(userId);
  return true;
}

/**
 * Tries of recovery codes are not counted: nobody guesses 58 bits, and a thief of the password must not
 * be able to lock out an owner who has them.
 */
async function useRecoveryCode(
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

/** Emails the owner, who should know how many codes are left, and notice a thief. */
export async function reportRecoveryCodeUsed(deps: AuthDeps, tx: Tx, userId: Id): Promise<void> {
  const user = await lockUser(tx, userId);
  if (!user) return;
  const left = await store.countRecoveryCodes(tx, userId);
  await emailSecurityChange(deps, tx, user, { kind: 'recovery-code-used', left });
}

export function sealSecret({ keys }: Pick<AuthDeps, 'keys'>, userId: Id, secret: string): Buffer {
  return keys.seal(SEAL, secret, userId);
}

export function openSecret({ keys }: Pick<AuthDeps, 'keys'>, totp: store.TotpRow): string {
  return keys.open(SEAL, totp.sealed, totp.user_id);
}

export function passkeyNotAccepted() {
  return invalid({ passkey: WRONG_PROOF.passkey });
}
