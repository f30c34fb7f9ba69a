/**
 * Signing in with what a provider says. A person is known by provider and
 * subject, never by an address: an account that has the address already is
 * joined only when both sides have proved it, and its owner hears of it.
 */
import type { ProviderName, ProviderTrouble } from '@cambist/contract/providers';
import { Email } from '@cambist/contract/wire';
import { Value } from 'typebox/value';
import { record } from '#features/audit/audit.ts';
import { read } from '#features/content/settings/settings.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Session } from '#platform/security/sessions.ts';
import { endSessionsOf, type AuthDeps, type Visit } from '../sessions/member-sessions.ts';
import { createUser, nameErrors, nameFrom, normalized } from '../people.ts';
import { providerLabels, type Voucher } from './provider-clients.ts';
import * as providers from './provider-store.ts';
import { postSecurityChange } from '../security-emails.ts';
import { enter } from '../sign-in/sign-in.ts';
import * as store from '../store.ts';
import { postFirstVerification } from '../sign-up/verification.ts';

export interface Arrival {
  readonly provider: ProviderName;
  readonly voucher: Voucher;
  readonly remember: boolean;
  /** Where the person was going: a path of the frontend. */
  readonly next: string | null;
}

export type Entered =
  | { readonly user: store.UserRow; readonly session: Session; readonly second: boolean }
  | { readonly trouble: ProviderTrouble };

/**
 * Signs the person in, after opening an account for them if there is none, or
 * asks for the second step. A refusal leaves nothing but its trace.
 */
export async function signInByProvider(
  deps: AuthDeps,
  visit: Visit,
  arrival: Arrival,
): Promise<Entered> {
  // Before the transaction, which would hold its connection while this may need another.
  const { maintenance } = await read(deps, 'general');
  return transaction(deps.db, async (tx) => {
    await providers.lockIdentity(tx, arrival.provider, arrival.voucher.subject);
    const found =
      (await knownPerson(deps, tx, arrival)) ??
      (await newPerson(deps, tx, visit, arrival, maintenance.enabled));
    if (!('trouble' in found)) {
      return enter(deps, tx, visit, found, arrival.remember, arrival.provider);
    }
    await record(tx, {
      actor: null,
      origin: visit.origin,
      action: 'auth.signin_failed',
      data: { way: arrival.provider, trouble: found.trouble },
    });
    return found;
  });
}

type Found = store.UserRow | { readonly trouble: ProviderTrouble };

/** Whoever came this way before. */
async function knownPerson(
  deps: AuthDeps,
  tx: Tx,
  { provider, voucher: { subject, email } }: Arrival,
): Promise<Found | undefined> {
  const identity = await providers.findIdentity(tx, provider, subject);
  if (!identity) return undefined;
  // Their row first: whoever disables or deletes them at this moment comes before or after this.
  const user = await store.lockUser(tx, identity.user_id);
  if (!user || user.disabled_at !== null) return { trouble: 'disabled' };
  const used = { email, last_used_at: deps.clock() };
  // False when it was unlinked at this moment.
  const still = await providers.updateIdentityUse(tx, { provider, subject }, used);
  return still ? user : { trouble: 'failed' };
}

/** Joins the account with this address where that is safe, else opens one. */
async function newPerson(
  deps: AuthDeps,
  tx: Tx,
  visit: Visit,
  arrival: Arrival,
  isClosed: boolean,
): Promise<Found> {
  const { voucher } = arrival;
  const email = normalized(voucher.email ?? '');
  if (!Value.Check(Email, email)) return { trouble: 'no_email' };
  const namesake = await store.findUserByEmail(tx, email);
  if (namesake) return join(deps, tx, visit, namesake.id, arrival);
  // Whoever has an account comes in, since admins do by this way too.
  if (isClosed) return { trouble: 'closed' };
  const now = deps.clock();
  const user = await createUser(tx, {
    name: shownName(voucher, email),
    email,
    passwordHash: null,
    now,
    // The buttons stand beside the sentence that coming this way accepts the terms.
    termsAcceptedAt: now,
    ...(voucher.emailVerified ? { emailVerifiedAt: now } : {}),
  });
  // Somebody opened it at this moment.
  if (!user) return { trouble: 'email_in_use' };
  await insertIdentity(deps, tx, user, arrival);
  if (!voucher.emailVerified) {
    await postFirstVerification(deps, tx, user, arrival.next ?? undefined);
  }
  await record(tx, {
    actor: store.actorOf(user),
    origin: visit.origin,
    action: 'auth.signup',
    subject_kind: 'user',
    subject_id: user.id,
    data: { way: arrival.provider },
  });
  return user;
}

/**
 * An address that either side has not proved may be a stranger's: its account
 * was perhaps opened by somebody who waits for its owner to come.
 */
async function join(
  deps: AuthDeps,
  tx: Tx,
  { origin }: Visit,
  userId: string,
  arrival: Arrival,
): Promise<Found> {
  const user = await store.lockUser(tx, userId);
  if (!user || user.disabled_at !== null) return { trouble: 'email_in_use' };
  // An admin links by hand: whoever runs the address's mail must not get into the desk by that.
  const proved =
    user.role !== 'admin' && user.email_verified_at !== null && arrival.voucher.emailVerified;
  if (!proved || normalized(arrival.voucher.email ?? '') !== user.email) {
    return { trouble: 'email_in_use' };
  }
  // Another person of this provider is linked already.
  if (!(await insertIdentity(deps, tx, user, arrival))) return { trouble: 'email_in_use' };
  await endSessionsOf(tx, user.id);
  await noteLinked(deps, tx, user, origin, arrival.provider);
  return user;
}

/** False when the account has another person of this provider. */
export function insertIdentity(
  { clock }: Pick<AuthDeps, 'clock'>,
  tx: Tx,
  { id }: Pick<store.UserRow, 'id'>,
  { provider, voucher: { subject, email } }: Pick<Arrival, 'provider' | 'voucher'>,
): Promise<boolean> {
  const now = clock();
  const identity = { provider, subject, user_id: id, email, created_at: now, last_used_at: now };
  return providers.insertIdentity(tx, identity);
}

/** Tells the owner by email, and the log. */
export async function noteLinked(
  deps: AuthDeps,
  tx: Tx,
  user: store.UserRow,
  origin: Visit['origin'],
  provider: ProviderName,
): Promise<void> {
  const change = { kind: 'provider-linked', provider: providerLabels[provider] } as const;
  await postSecurityChange(deps, tx, user, change);
  await record(tx, {
    actor: store.actorOf(user),
    origin,
    action: 'auth.provider_linked',
    subject_kind: 'user',
    subject_id: user.id,
    data: { provider },
  });
}

/** The desk reads names, so one that it could not read is not taken over. */
function shownName({ name }: Voucher, email: string): string {
  const shown = name.trim().slice(0, 100);
  return nameErrors(shown).name === undefined ? shown : nameFrom(email);
}
