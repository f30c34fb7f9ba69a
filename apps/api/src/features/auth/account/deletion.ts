/** What is kept of how a person signs in, and how all that tells of them goes. */
import type { Id } from '#kernel/id.ts';
import { invalid } from '#kernel/refusal.ts';
import { enqueueEmail } from '#features/email/email.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Session } from '#platform/security/sessions.ts';
import * as accounts from './account-store.ts';
import { emailsIn } from '../emails.ts';
import { endSessionsOf, lockOwner, type AuthDeps } from '../sessions/member-sessions.ts';
import { forgetAsked } from '../password/password-reset.ts';
import { normalized, recipientOf } from '../people.ts';
import * as providers from '../oauth/provider-store.ts';
import * as factors from '../second-factor/second-factor-store.ts';
import { requireAnotherAdmin } from '../admin/manage-user.ts';
import { lockStanding } from '../admin/manage-user-store.ts';
import * as store from '../store.ts';

const NAME = 'Deleted account';

/** Who is gone: what else is kept of the address is to go too, where it was theirs. */
export interface Gone {
  readonly provedEmail: string | null;
}

/**
 * Takes the person out of an account. The row stays, since records of money
 * point to it, but holds nothing of theirs and opens for nobody. The last email
 * goes to the address that is forgotten here, and itself as soon as it is sent. Null
 * for nobody, and with `onlyUnproved` for whoever has proved the address meanwhile. `own` is the
 * session of whoever deletes their own account, and the address that they gave as theirs.
 * @throws {Refusal} 401 when that session ended meanwhile; 422 on `email` where another was typed;
 *   409 `last_admin`
 */
export async function anonymise(
  deps: AuthDeps,
  tx: Tx,
  id: Id,
  {
    onlyUnproved = false,
    own,
  }: {
    readonly onlyUnproved?: boolean;
    readonly own?: { readonly session: Session; readonly typed: string };
  } = {},
): Promise<Gone | null> {
  await lockStanding(tx);
  const user = own ? await lockOwner(tx, own.session) : await store.lockUser(tx, id);
  if (!user || user.deleted_at) return null;
  if (onlyUnproved && user.email_verified_at !== null) return null;
  if (own && normalized(own.typed) !== user.email) {
    throw invalid({ email: 'This is not the e-mail address of your account.' });
  }
  await requireAnotherAdmin(deps, tx, user);
  const now = deps.clock();
  await endSessionsOf(tx, id);
  await accounts.deleteResetsOf(tx, id);
  for (const email of [user.email, user.pending_email]) {
    if (email !== null) await forgetAsked(deps, tx, email);
  }
  await factors.deleteFactors(tx, id);
  await providers.deleteIdentitiesOf(tx, id);
  await accounts.deleteDevicesOf(tx, id);
  await accounts.updateUser(tx, id, {
    name: NAME,
    // A name that never leads anywhere (RFC 2606).
    email: `${id}@deleted.invalid`,
    password_hash: null,
    taken_password_hash: null,
    role: 'user',
    permissions: [],
    locale: 'en',
    email_verified_at: null,
    verification_sent_at: null,
    verification_next: null,
    pending_email: null,
    last_seen_at: null,
    disabled_at: now,
    deleted_at: now,
  });
  await enqueueEmail(deps, tx, {
    kind: 'account-deleted',
    to: { ...recipientOf(user), userId: null },
    content: emailsIn(user.locale).accountDeleted(user.name, now),
    deleteAfterSending: true,
  });
  return { provedEmail: user.email_verified_at === null ? null : user.email };
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
