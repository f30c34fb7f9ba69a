/**
 * The second factors of the signed-in user: an authenticator app, passkeys, recovery codes. Every change
 * locks the user's row, ends all other sessions, sends an email and writes an audit event.
 */
import type { Passkey, SecondFactor } from '@cambist/contract/second-factor';
import { isVisible } from '@cambist/contract/visible-text';
import type { Actor } from '#kernel/actor.ts';
import { newId, type Id } from '#kernel/id.ts';
import { invalid, notFound, Refusal } from '#kernel/refusal.ts';
import { read } from '#features/content/settings/settings.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import { listIdentities } from '../oauth/store.ts';
import { emailSecurityChange, type SecurityChange } from '../security-emails.ts';
import type { MemberContext } from '../sessions/request-context.ts';
import { endSessionsOf, lockSessionUser, type AuthDeps } from '../sessions/sessions.ts';
import type { CodeTries } from '../sign-in/attempts.ts';
import type { UserRow } from '../store.ts';
import { recordUserEvent, requireUser } from '../users.ts';
import { hashRecoveryCode, newRecoveryCodes, newTotpSecret, totpStepOf, totpUri } from './codes.ts';
import { checkRegistration, registrationOptions, type WebAuthnJson } from './passkeys.ts';
import { openSecret, sealSecret, WRONG_PROOF } from './proofs.ts';
import * as store from './store.ts';
import { adminsNeedTwoFactor, lacksTwoFactor } from './two-factor-policy.ts';

const MOST_PASSKEYS = 20;

export async function getSecondFactor(deps: AuthDeps, actor: Actor): Promise<SecondFactor> {
  const { db } = deps;
  const totp = await store.hasTotp(db, actor.id);
  const passkeys = await store.listPasskeys(db, actor.id);
  const hasTwoFactor = totp || passkeys.length > 0;
  return {
    totp,
    passkeys: passkeys.map(toWirePasskey),
    recovery_codes_left: await store.countRecoveryCodes(db, actor.id),
    missing: await lacksTwoFactor(deps, { role: actor.role, hasTwoFactor }),
  };
}

/** A new secret; it is used once its first code has confirmed it. @throws {Refusal} 409 `totp_enabled` */
export async function beginTotp(
  deps: AuthDeps,
  { session }: MemberContext,
): Promise<{ secret: string; uri: string }> {
  const { site_name: siteName } = await read(deps, 'general');
  const secret = newTotpSecret();
  return transaction(deps.db, async (tx) => {
    const user = await lockSessionUser(tx, session);
    const isNew = await store.upsertNewTotp(tx, {
      user_id: user.id,
      sealed: sealSecret(deps, user.id, secret),
      created_at: deps.clock(),
    });
    if (!isNew) throw new Refusal(409, 'totp_enabled', 'An authenticator app is set up already.');
    return { secret, uri: totpUri(secret, siteName, user.email) };
  });
}

/**
 * Turns the authenticator app on with its first code. Returns recovery codes if it is the first second
 * factor.
 * @throws {Refusal} 422 on `code`, 429
 */
export async function confirmTotp(
  deps: AuthDeps,
  tries: CodeTries,
  context: MemberContext,
  code: string,
): Promise<string[]> {
  tries.count(context.actor.id);
  const codes = await transaction(deps.db, async (tx) => {
    const user = await lockSessionUser(tx, context.session);
    const totp = await store.findTotp(tx, user.id);
    if (!totp || totp.confirmed_at !== null) {
      throw invalid({ code: 'There is no new secret to confirm. Begin again.' });
    }
    const now = deps.clock();
    const step = totpStepOf(openSecret(deps, totp), code, now);
    if (step === null) throw invalid({ code: WRONG_PROOF.code });
    await store.updateTotpConfirmed(tx, user.id, { now, step });
    const kind = user.two_factor_at === null ? 'second-factor-on' : 'authenticator-added';
    await reportChange(deps, tx, context, user, 'auth.totp_added', { kind });
    return turnOn(deps, tx, user);
  });
  tries.succeeded(context.actor.id);
  return codes;
}

/** @throws {Refusal} 404; 409 `two_factor_mandatory` */
export async function removeTotp(deps: AuthDeps, context: MemberContext): Promise<void> {
  const mandatory = await isMandatory(deps, context.actor);
  await transaction(deps.db, async (tx) => {
    const user = await lockSessionUser(tx, context.session);
    if (!(await store.deleteTotp(tx, user.id))) throw notFound();
    const off = await turnOffIfLast(tx, user, mandatory);
    const change = { kind: 'authenticator-removed', off } as const;
    await reportChange(deps, tx, context, user, 'auth.totp_removed', change);
  });
}

/** @throws {Refusal} 409 `no_second_factor` */
export async function renewRecoveryCodes(
  deps: AuthDeps,
  context: MemberContext,
): Promise<string[]> {
  return transaction(deps.db, async (tx) => {
    const user = await lockSessionUser(tx, context.session);
    if (user.two_factor_at === null) {
      throw new Refusal(409, 'no_second_factor', 'Set up a second step first.');
    }
    const change = { kind: 'recovery-codes-renewed' } as const;
    await reportChange(deps, tx, context, user, 'auth.recovery_codes_renewed', change);
    return replaceRecoveryCodes(deps, tx, user.id);
  });
}

export async function beginPasskey(deps: AuthDeps, { actor, session }: MemberContext) {
  const user = await requireUser(deps.db, actor.id);
  const { site_name: siteName } = await read(deps, 'general');
  return registrationOptions(deps, session, { siteName, user });
}

/** @throws {Refusal} 422 `passkey_refused` */
export async function addPasskey(
  deps: AuthDeps,
  context: MemberContext,
  { name, passkey }: { readonly name: string; readonly passkey: WebAuthnJson },
): Promise<{ passkey: Passkey; recovery_codes: string[] }> {
  const credential = await checkRegistration(deps, context.session, passkey);
  if (credential === null) throw passkeyRefused();
  return transaction(deps.db, async (tx) => {
    const user = await lockSessionUser(tx, context.session);
    if ((await store.listPasskeys(tx, user.id)).length >= MOST_PASSKEYS) throw passkeyRefused();
    const row = await store.insertPasskey(tx, {
      id: newId(),
      user_id: user.id,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: (credential.transports ?? []).map(String).slice(0, 10),
      name: isVisible(name) ? name.trim() : 'Passkey',
      created_at: deps.clock(),
      last_used_at: null,
    });
    if (!row) throw passkeyRefused();
    const change = { kind: 'passkey-added', name: row.name } as const;
    await reportChange(deps, tx, context, user, 'auth.passkey_added', change);
    return { passkey: toWirePasskey(row), recovery_codes: await turnOn(deps, tx, user) };
  });
}

/** @throws {Refusal} 404; 409 `two_factor_mandatory` or `last_way_in` */
export async function removePasskey(deps: AuthDeps, context: MemberContext, id: Id): Promise<void> {
  const mandatory = await isMandatory(deps, context.actor);
  await transaction(deps.db, async (tx) => {
    const user = await lockSessionUser(tx, context.session);
    const passkey = await store.deletePasskey(tx, user.id, id);
    if (!passkey) throw notFound();
    await requireWayIn(tx, user);
    const off = await turnOffIfLast(tx, user, mandatory);
    const change = { kind: 'passkey-removed', name: passkey.name, off } as const;
    await reportChange(deps, tx, context, user, 'auth.passkey_removed', change);
  });
}

/** Removes all second factors of a user, for an admin, whose action writes its own audit event. */
export async function removeAllFactors(deps: AuthDeps, tx: Tx, user: UserRow): Promise<void> {
  await store.deleteFactors(tx, user.id);
  await endSessionsOf(tx, user.id);
  await emailSecurityChange(deps, tx, user, { kind: 'second-factor-removed-by-desk' });
}

/** Refuses to leave the user without a way to sign in. @throws {Refusal} 409 `last_way_in` */
export async function requireWayIn(tx: Tx, user: UserRow): Promise<void> {
  if (user.password_hash !== null) return;
  if ((await listIdentities(tx, user.id)).length > 0) return;
  if ((await store.listPasskeys(tx, user.id)).length > 0) return;
  throw new Refusal(
    409,
    'last_way_in',
    'This is the last way into your account. Choose a password first.',
  );
}

function passkeyRefused(): Refusal {
  return new Refusal(422, 'passkey_refused', 'This passkey was not accepted. Try again.');
}

/** Asks for a second step from now on. Returns recovery codes unless it was on already. */
async function turnOn(deps: AuthDeps, tx: Tx, user: UserRow): Promise<string[]> {
  if (user.two_factor_at !== null) return [];
  await store.updateTwoFactorSince(tx, user.id, deps.clock());
  return replaceRecoveryCodes(deps, tx, user.id);
}

async function turnOffIfLast(tx: Tx, user: UserRow, mandatory: boolean): Promise<boolean> {
  if (await store.hasTotp(tx, user.id)) return false;
  if ((await store.listPasskeys(tx, user.id)).length > 0) return false;
  if (mandatory) {
    throw new Refusal(
      409,
      'two_factor_mandatory',
      'The desk requires a second step for your account. Add another one first.',
    );
  }
  await store.updateTwoFactorSince(tx, user.id, null);
  await store.replaceRecoveryCodes(tx, user.id, []);
  return true;
}

async function replaceRecoveryCodes(deps: AuthDeps, tx: Tx, userId: Id): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => hashRecoveryCode(deps.keys, userId, code));
  await store.replaceRecoveryCodes(tx, userId, hashes);
  return codes;
}

async function reportChange(
  deps: AuthDeps,
  tx: Tx,
  context: MemberContext,
  user: UserRow,
  action: string,
  change: SecurityChange,
): Promise<void> {
  await endSessionsOf(tx, user.id, { except: context.session.id });
  await recordUserEvent(tx, action, user, context);
  await emailSecurityChange(deps, tx, user, change);
}

async function isMandatory(deps: AuthDeps, actor: Actor): Promise<boolean> {
  return actor.role === 'admin' && (await adminsNeedTwoFactor(deps));
}

function toWirePasskey(row: store.PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
