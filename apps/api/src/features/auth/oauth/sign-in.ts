/**
 * Signing in with a provider's profile. Users are identified by provider and subject, never by address: an
 * existing account with the address is linked only if both sides have verified it, and its owner gets an
 * email.
 */
import type { ProviderName, ProviderTrouble } from '@cambist/contract/providers';
import { Email } from '@cambist/contract/wire';
import { Value } from 'typebox/value';
import type { Origin } from '#kernel/actor.ts';
import { record } from '#features/audit/audit.ts';
import { read } from '#features/content/settings/settings.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Session } from '#platform/security/sessions.ts';
import { emailSecurityChange } from '../security-emails.ts';
import type { RequestContext } from '../sessions/request-context.ts';
import { endSessionsOf, type AuthDeps } from '../sessions/sessions.ts';
import { finishFirstStep } from '../sign-in/sign-in.ts';
import { sendFirstVerification } from '../sign-up/verification.ts';
import * as users from '../store.ts';
import { createUser, nameErrors, nameFrom, normalizeEmail, recordUserEvent } from '../users.ts';
import { providerLabels, type ProviderProfile } from './clients.ts';
import * as store from './store.ts';

export interface ProviderSignIn {
  readonly provider: ProviderName;
  readonly profile: ProviderProfile;
  readonly remember: boolean;
  /** Where the user was going: a path of the frontend. */
  readonly next: string | null;
}

/** Signs the user in, opening an account if there is none, or asks for the second step. */
export async function signInWithProvider(
  deps: AuthDeps,
  context: RequestContext,
  signIn: ProviderSignIn,
): Promise<
  | { readonly user: users.UserRow; readonly session: Session; readonly second: boolean }
  | { readonly trouble: ProviderTrouble }
> {
  const { provider, profile, remember } = signIn;
  // Before the transaction, which would hold its connection while this may need another.
  const { maintenance } = await read(deps, 'general');
  return transaction(deps.db, async (tx) => {
    await store.lockIdentity(tx, provider, profile.subject);
    const found =
      (await findLinkedUser(deps, tx, signIn)) ??
      (await addUser(deps, tx, context, signIn, maintenance.enabled));
    if (!('trouble' in found)) {
      return finishFirstStep(deps, tx, context, found, remember, provider);
    }
    await record(tx, {
      actor: null,
      origin: context.origin,
      action: 'auth.signin_failed',
      data: { way: provider, trouble: found.trouble },
    });
    return found;
  });
}

type Found = users.UserRow | { readonly trouble: ProviderTrouble };

async function findLinkedUser(
  deps: AuthDeps,
  tx: Tx,
  { provider, profile: { subject, email } }: ProviderSignIn,
): Promise<Found | undefined> {
  const identity = await store.findIdentity(tx, provider, subject);
  if (!identity) return undefined;
  // The user's row first: a concurrent disabling or deletion comes before or after this.
  const user = await users.lockUser(tx, identity.user_id);
  if (!user || user.disabled_at !== null) return { trouble: 'disabled' };
  const use = { email, last_used_at: deps.clock() };
  const isLinked = await store.updateIdentityUse(tx, { provider, subject }, use);
  return isLinked ? user : { trouble: 'failed' };
}

/** Links the account with this address where that is safe, else opens an account. */
async function addUser(
  deps: AuthDeps,
  tx: Tx,
  { origin }: RequestContext,
  signIn: ProviderSignIn,
  isClosed: boolean,
): Promise<Found> {
  const { provider, profile } = signIn;
  const email = normalizeEmail(profile.email ?? '');
  if (!Value.Check(Email, email)) return { trouble: 'no_email' };
  const existing = await users.findUserByEmail(tx, email);
  if (existing) return linkExisting(deps, tx, origin, existing.id, signIn);
  // Only after existing accounts: admins sign in this way too while the site is closed.
  if (isClosed) return { trouble: 'closed' };
  const now = deps.clock();
  // Operators read the name, so one with invisible characters is not adopted.
  const name = profile.name.trim().slice(0, 100);
  const user = await createUser(tx, {
    name: nameErrors(name).name === undefined ? name : nameFrom(email),
    email,
    passwordHash: null,
    now,
    // The sign-in page says beside the buttons that using them accepts the terms.
    termsAcceptedAt: now,
    ...(profile.emailVerified ? { emailVerifiedAt: now } : {}),
  });
  // A concurrent request has opened it.
  if (!user) return { trouble: 'email_in_use' };
  await insertIdentity(deps, tx, user, signIn);
  if (!profile.emailVerified) {
    await sendFirstVerification(deps, tx, user, signIn.next ?? undefined);
  }
  const by = { actor: users.actorOf(user), origin };
  await recordUserEvent(tx, 'auth.signup', user, by, { way: provider });
  return user;
}

/** Links only if both sides have verified the address: else one of the accounts may be an attacker's. */
async function linkExisting(
  deps: AuthDeps,
  tx: Tx,
  origin: Origin,
  userId: string,
  signIn: ProviderSignIn,
): Promise<Found> {
  const { provider, profile } = signIn;
  const user = await users.lockUser(tx, userId);
  if (!user || user.disabled_at !== null) return { trouble: 'email_in_use' };
  // Admins link by hand: whoever runs their mail domain must not get into the console this way.
  const isVerified =
    user.role !== 'admin' && user.email_verified_at !== null && profile.emailVerified;
  if (!isVerified || normalizeEmail(profile.email ?? '') !== user.email) {
    return { trouble: 'email_in_use' };
  }
  if (!(await insertIdentity(deps, tx, user, signIn))) return { trouble: 'email_in_use' };
  await endSessionsOf(tx, user.id);
  await reportLinked(deps, tx, user, origin, provider);
  return user;
}

/** False when the account already has another identity of this provider. */
export function insertIdentity(
  { clock }: Pick<AuthDeps, 'clock'>,
  tx: Tx,
  { id }: users.UserRow,
  { provider, profile: { subject, email } }: Pick<ProviderSignIn, 'provider' | 'profile'>,
): Promise<boolean> {
  const now = clock();
  const identity = { provider, subject, user_id: id, email, created_at: now, last_used_at: now };
  return store.insertIdentity(tx, identity);
}

/** Emails the owner and writes the audit event. */
export async function reportLinked(
  deps: AuthDeps,
  tx: Tx,
  user: users.UserRow,
  origin: Origin,
  provider: ProviderName,
): Promise<void> {
  const change = { kind: 'provider-linked', provider: providerLabels[provider] } as const;
  await emailSecurityChange(deps, tx, user, change);
  const by = { actor: users.actorOf(user), origin };
  await recordUserEvent(tx, 'auth.provider_linked', user, by, { provider });
}
