/** Deleting an account's personal data, and exporting its ways to sign in. */
import type { Id } from '#kernel/id.ts';
import { invalid } from '#kernel/refusal.ts';
import { enqueueEmail } from '#features/email/email.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Session } from '#platform/security/sessions.ts';
import { requireAnotherAdmin } from '../admin/manage-user.ts';
import { lockAdmins } from '../admin/store.ts';
import { emails } from '../emails.ts';
import * as providers from '../oauth/store.ts';
import { deleteRequests } from '../password/password-reset.ts';
import { deleteResetsOf } from '../password/store.ts';
import * as factors from '../second-factor/store.ts';
import { endSessionsOf, lockSessionUser, type AuthDeps } from '../sessions/sessions.ts';
import { deleteBrowsersOf } from '../sign-in/store.ts';
import * as store from '../store.ts';
import { NO_PENDING_EMAIL, normalizeEmail, recipientOf } from '../users.ts';

const NAME = 'Deleted account';

export interface Deleted {
  /** The verified address, whose other data is to be deleted too; null for an unverified one. */
  readonly verifiedEmail: string | null;
}

/**
 * Removes all personal data of a user. The row stays, since records of money refer to it. The last email
 * goes to the deleted address and is itself deleted once it is sent. Returns null when there is no such
 * user, or with `onlyUnverified` when the address was verified meanwhile. `own` is the session of a user
 * who deletes their own account, and the address they typed to confirm it.
 * @throws {Refusal} 401 when that session ended meanwhile; 422 on `email` when another address was typed;
 *   409 `last_admin`
 */
export async function deletePersonalData(
  deps: AuthDeps,
  tx: Tx,
  id: Id,
  {
    onlyUnverified = false,
    own,
  }: {
    readonly onlyUnverified?: boolean;
    readonly own?: { readonly session: Session; readonly typed: string };
  } = {},
): Promise<Deleted | null> {
  await lockAdmins(tx);
  const user = own ? await lockSessionUser(tx, own.session) : await store.lockUser(tx, id);
  if (!user || user.deleted_at) return null;
  if (onlyUnverified && user.email_verified_at !== null) return null;
  if (own && normalizeEmail(own.typed) !== user.email) {
    throw invalid({ email: 'This is not the email address of your account.' });
  }
  await requireAnotherAdmin(deps, tx, user);
  const now = deps.clock();
  await endSessionsOf(tx, id);
  await deleteResetsOf(tx, id);
  for (const email of [user.email, user.pending_email]) {
    if (email !== null) await deleteRequests(deps, tx, email);
  }
  await factors.deleteFactors(tx, id);
  await providers.deleteIdentitiesOf(tx, id);
  await deleteBrowsersOf(tx, id);
  await store.updateUser(tx, id, {
    name: NAME,
    // A reserved domain that never resolves (RFC 2606).
    email: `${id}@deleted.invalid`,
    password_hash: null,
    taken_password_hash: null,
    role: 'user',
    permissions: [],
    locale: 'en',
    email_verified_at: null,
    verification_sent_at: null,
    ...NO_PENDING_EMAIL,
    last_seen_at: null,
    disabled_at: now,
    deleted_at: now,
  });
  await enqueueEmail(deps, tx, {
    ...emails.accountDeleted(user.name, now),
    to: { ...recipientOf(user), userId: null },
    deleteAfterSending: true,
  });
  return { verifiedEmail: user.email_verified_at === null ? null : user.email };
}

export interface SignInMethods {
  readonly password: boolean;
  readonly authenticator_app: boolean;
  readonly passkeys: readonly { name: string; created_at: Date; last_used_at: Date | null }[];
  readonly providers: readonly { provider: string; email: string | null; created_at: Date }[];
}

/** Without hashes, keys and secrets. */
export async function signInMethods(db: Db, id: Id): Promise<SignInMethods> {
  const user = await store.findUser(db, id);
  const passkeys = await factors.listPasskeys(db, id);
  const identities = await providers.listIdentities(db, id);
  return {
    password: user?.password_hash !== null,
    authenticator_app: await factors.hasTotp(db, id),
    passkeys: passkeys.map(({ name, created_at, last_used_at }) => ({
      name,
      created_at,
      last_used_at,
    })),
    providers: identities.map(({ provider, email, created_at }) => ({
      provider,
      email,
      created_at,
    })),
  };
}
