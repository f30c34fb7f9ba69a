/**
 * The second factors of the person who is signed in: an authenticator app,
 * passkeys, recovery codes. Whatever changes them locks the person's row, ends
 * all other sessions, writes an email and leaves a trace.
 */
import type { Passkey, SecondFactor } from '@cambist/contract/second-factor';
import { isVisible } from '@cambist/contract/visible-text';
import type { Actor, Origin } from '#kernel/actor.ts';
import { newId, type Id } from '#kernel/id.ts';
import { invalid, notFound, Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { read } from '#features/content/settings/settings.ts';
import { transaction, type Db, type Tx } from '#platform/db/database.ts';
import type { Session } from '#platform/security/sessions.ts';
import type { CodeTries } from './code-tries.ts';
import { endSessionsOf, lockOwner, type AuthDeps } from '../sessions/member-sessions.ts';
import { checkRegistration, registrationOptions, type WebAuthnJson } from './passkeys.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import { listIdentities } from '../oauth/provider-store.ts';
import { postSecurityChange, type SecurityChange } from '../security-emails.ts';
import * as store from './second-factor-store.ts';
import { findUser, type UserRow } from '../store.ts';
import { newTotpSecret, stepOf, totpUri } from './totp.ts';
import { adminsNeedTwoFactor, lacksTwoFactor } from './two-factor-policy.ts';

/** Who changes something of their own, from where, in which session. */
export interface Owner {
  readonly actor: Actor;
  readonly origin: Origin;
  readonly session: Session;
}

const SEAL = 'totp';
const MOST_PASSKEYS = 20;

export async function describeSecondFactor(deps: AuthDeps, actor: Actor): Promise<SecondFactor> {
  const { db } = deps;
  const totp = await store.hasTotp(db, actor.id);
  const passkeys = await store.listPasskeys(db, actor.id);
  const hasTwoFactor = totp || passkeys.length > 0;
  return {
    totp,
    passkeys: passkeys.map(wirePasskey),
    recovery_codes_left: await store.countRecoveryCodes(db, actor.id),
    missing: await lacksTwoFactor(deps, { role: actor.role, hasTwoFactor }),
  };
}

/** A new secret; it counts when its first code has been shown. @throws {Refusal} 409 `totp_enabled` */
export async function beginTotp(
  deps: AuthDeps,
  { session }: Owner,
): Promise<{ secret: string; uri: string }> {
  const { site_name: siteName } = await read(deps, 'general');
  const secret = newTotpSecret();
  return transaction(deps.db, async (tx) => {
    const user = await lockOwner(tx, session);
    const fresh = await store.upsertNewTotp(tx, {
      user_id: user.id,
      sealed: deps.keys.seal(SEAL, secret, user.id),
      created_at: deps.clock(),
    });
    if (!fresh) throw new Refusal(409, 'totp_enabled', 'An authenticator app is set up already.');
    return { secret, uri: totpUri(secret, siteName, user.email) };
  });
}

/**
 * Turns the app on with its first code. Answers the recovery codes when this is
 * the first second factor, else none.
 * @throws {Refusal} 422 on `code`, 429
 */
export async function confirmTotp(
  deps: AuthDeps,
  tries: CodeTries,
  owner: Owner,
  code: string,
): Promise<string[]> {
  tries.count(owner.actor.id);
  const codes = await transaction(deps.db, async (tx) => {
    const user = await lockOwner(tx, owner.session);
    const totp = await store.findTotp(tx, user.id);
    if (!totp || totp.confirmed_at !== null) {
      throw invalid({ code: 'There is no new secret to confirm. Begin again.' });
    }
    const now = deps.clock();
    const step = stepOf(openSecret(deps, totp), code, now);
    if (step === null) throw invalid({ code: 'This code is not right. Try the one shown now.' });
    await store.updateTotpConfirmed(tx, user.id, { now, step });
    const first = user.two_factor_at === null;
    const kind = first ? 'second-factor-on' : 'authenticator-added';
    await noteChange(deps, tx, { owner, user }, 'auth.totp_added', { kind });
    return turnOn(deps, tx, user);
  });
  tries.succeeded(owner.actor.id);
  return codes;
}

/** @throws {Refusal} 404; 409 `two_factor_mandatory` */
export async function removeTotp(deps: AuthDeps, owner: Owner): Promise<void> {
  const mandatory = await isMandatory(deps, owner.actor);
  await transaction(deps.db, async (tx) => {
    const user = await lockOwner(tx, owner.session);
    if (!(await store.deleteTotp(tx, user.id))) throw notFound();
    const off = await turnOffIfLast(tx, user, mandatory);
    const change = { kind: 'authenticator-removed', off } as const;
    await noteChange(deps, tx, { owner, user }, 'auth.totp_removed', change);
  });
}

/** @throws {Refusal} 409 `no_second_factor` */
export async function renewRecoveryCodes(deps: AuthDeps, owner: Owner): Promise<string[]> {
  return transaction(deps.db, async (tx) => {
    const user = await lockOwner(tx, owner.session);
    if (user.two_factor_at === null) {
      throw new Refusal(409, 'no_second_factor', 'Set up a second step first.');
    }
    const change = { kind: 'recovery-codes-renewed' } as const;
    await noteChange(deps, tx, { owner, user }, 'auth.recovery_codes_renewed', change);
    return writeRecoveryCodes(deps, tx, user.id);
  });
}

export async function beginPasskey(deps: AuthDeps, { actor, session }: Owner) {
  const user = await mustFind(deps.db, actor.id);
  const { site_name: siteName } = await read(deps, 'general');
  return registrationOptions(deps, session, { siteName, user });
}

/** @throws {Refusal} 422 `passkey_refused` */
export async function addPasskey(
  deps: AuthDeps,
  owner: Owner,
  { name, passkey }: { readonly name: string; readonly passkey: WebAuthnJson },
): Promise<{ passkey: Passkey; recovery_codes: string[] }> {
  const credential = await checkRegistration(deps, owner.session, passkey);
  if (credential === null) throw passkeyRefused();
  return transaction(deps.db, async (tx) => {
    const user = await lockOwner(tx, owner.session);
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
    await noteChange(deps, tx, { owner, user }, 'auth.passkey_added', change);
    return { passkey: wirePasskey(row), recovery_codes: await turnOn(deps, tx, user) };
  });
}

/** @throws {Refusal} 404; 409 `two_factor_mandatory` or `last_way_in` */
export async function removePasskey(deps: AuthDeps, owner: Owner, id: Id): Promise<void> {
  const mandatory = await isMandatory(deps, owner.actor);
  await transaction(deps.db, async (tx) => {
    const user = await lockOwner(tx, owner.session);
    const passkey = await store.deletePasskey(tx, user.id, id);
    if (!passkey) throw notFound();
    const left = await store.listPasskeys(tx, user.id);
    const otherWays = user.password_hash !== null || (await listIdentities(tx, user.id)).length > 0;
    if (left.length === 0 && !otherWays) throw lastWayIn();
    const off = await turnOffIfLast(tx, user, mandatory);
    const change = { kind: 'passkey-removed', name: passkey.name, off } as const;
    await noteChange(deps, tx, { owner, user }, 'auth.passkey_removed', change);
  });
}

/** Takes all of somebody's second factors off; for an admin's act, which leaves its own trace. */
export async function removeAllFactors(deps: AuthDeps, tx: Tx, user: UserRow): Promise<void> {
  await store.deleteFactors(tx, user.id);
  await endSessionsOf(tx, user.id);
  await postSecurityChange(deps, tx, user, { kind: 'second-factor-removed-by-desk' });
}

export function openSecret({ keys }: Pick<AuthDeps, 'keys'>, totp: store.TotpRow): string {
  return keys.open(SEAL, totp.sealed, totp.user_id);
}

export function lastWayIn(): Refusal {
  return new Refusal(
    409,
    'last_way_in',
    'This is the last way into your account. Choose a password first.',
  );
}

function passkeyRefused(): Refusal {
  return new Refusal(422, 'passkey_refused', 'This passkey was not accepted. Try again.');
}

/** From the first factor on sign-in asks for it; it comes with recovery codes. */
async function turnOn(deps: AuthDeps, tx: Tx, user: UserRow): Promise<string[]> {
  if (user.two_factor_at !== null) return [];
  await store.updateTwoFactorSince(tx, user.id, deps.clock());
  return writeRecoveryCodes(deps, tx, user.id);
}

async function turnOffIfLast(tx: Tx, user: UserRow, mandatory: boolean): Promise<boolean> {
  if (await store.hasTotp(tx, user.id)) return false;
  if ((await store.listPasskeys(tx, user.id)).length > 0) return false;
  if (mandatory) {
    throw new Refusal(
      409,
      'two_factor_mandatory',
      'The desk demands a second step of you. Add another one first.',
    );
  }
  await store.updateTwoFactorSince(tx, user.id, null);
  await store.replaceRecoveryCodes(tx, user.id, []);
  return true;
}

async function writeRecoveryCodes(deps: AuthDeps, tx: Tx, userId: Id): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => hashRecoveryCode(deps.keys, userId, code));
  await store.replaceRecoveryCodes(tx, userId, hashes);
  return codes;
}

/** The trace, the email and the end of all other sessions, which each change brings. */
async function noteChange(
  deps: AuthDeps,
  tx: Tx,
  { owner, user }: { readonly owner: Owner; readonly user: UserRow },
  action: string,
  change: SecurityChange,
): Promise<void> {
  const { actor, origin, session } = owner;
  await endSessionsOf(tx, user.id, { except: session.id });
  await record(tx, { actor, origin, action, subject_kind: 'user', subject_id: user.id });
  await postSecurityChange(deps, tx, user, change);
}

async function isMandatory(deps: AuthDeps, actor: Actor): Promise<boolean> {
  return actor.role === 'admin' && (await adminsNeedTwoFactor(deps));
}

async function mustFind(db: Db, id: Id): Promise<UserRow> {
  const user = await findUser(db, id);
  if (!user) throw notFound();
  return user;
}

function wirePasskey(row: store.PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
