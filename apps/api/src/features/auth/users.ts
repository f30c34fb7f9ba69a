/** Creating users, and what the other parts of a user's account share. */
import type { User } from '@cambist/contract/accounts';
import type { Permission } from '@cambist/contract/endpoint';
import { isPlainText } from '@cambist/contract/visible-text';
import type { Actor, Origin } from '#kernel/actor.ts';
import { newId, type Id } from '#kernel/id.ts';
import { notFound, Refusal, unauthenticated } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import {
  enqueueEmail,
  type Email,
  type EmailContent,
  type EmailDeps,
  type Recipient,
} from '#features/email/email.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Profile } from '#platform/security/sessions.ts';
import { listAdminsWith } from './admin/store.ts';
import { lacksTwoFactor, type PolicyDeps } from './second-factor/two-factor-policy.ts';
import * as store from './store.ts';

export { countAdminsWith, lockDigestDue, markDigest } from './admin/store.ts';

const MAX_NAME = 100;
const MOST_RECIPIENTS = 50;

export interface NewUser {
  readonly name: string;
  readonly email: string;
  /** Null for a user who cannot sign in with a password. */
  readonly passwordHash: string | null;
  readonly now: Date;
  readonly role?: 'user' | 'admin';
  readonly permissions?: readonly string[];
  readonly locale?: string;
  readonly emailVerifiedAt?: Date;
  readonly termsAcceptedAt?: Date;
}

/** Undefined when the address is taken. Hash the password before the transaction. */
export async function createUser(tx: Tx, user: NewUser): Promise<store.UserRow | undefined> {
  return store.insertUser(tx, {
    id: newId(),
    name: user.name,
    email: normalizeEmail(user.email),
    password_hash: user.passwordHash,
    role: user.role ?? 'user',
    permissions: [...(user.permissions ?? [])],
    locale: user.locale ?? 'en',
    email_verified_at: user.emailVerifiedAt ?? null,
    terms_accepted_at: user.termsAcceptedAt ?? null,
    disabled_at: null,
    last_seen_at: null,
    pending_email: null,
    two_factor_at: null,
    verification_sent_at: null,
    deleted_at: null,
    created_at: user.now,
  });
}

/** @throws {Refusal} 404 */
export async function getUser(deps: PolicyDeps, id: Id): Promise<User> {
  return toWireUser(deps, await requireUser(deps.db, id));
}

/** @throws {Refusal} 404 */
export async function requireUser(db: Db, id: Id): Promise<store.UserRow> {
  const user = await store.findUser(db, id);
  if (!user) throw notFound();
  return user;
}

/** `lock` serializes requests of one user. @throws {Refusal} 401; 403 `email_unverified` */
export async function requireVerified(tx: Tx, id: Id, lock?: 'lock'): Promise<store.UserRow> {
  const user = await (lock ? store.lockUser(tx, id) : store.findUser(tx, id));
  if (!user || user.disabled_at) throw unauthenticated();
  if (user.email_verified_at) return user;
  throw new Refusal(
    403,
    'email_unverified',
    'Confirm your email address first: follow the link in our email, or ask for another one.',
  );
}

export function toWireUser(deps: PolicyDeps, user: store.UserRow): Promise<User> {
  return toWireProfile(deps, store.profileOf(user));
}

export async function toWireProfile(deps: PolicyDeps, user: Profile): Promise<User> {
  const hasTwoFactor = user.two_factor_at !== null;
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    email_verified_at: user.email_verified_at?.toISOString() ?? null,
    pending_email: user.pending_email,
    role: user.role,
    permissions: user.permissions,
    locale: user.locale,
    desk_notices: user.desk_notices,
    desk_digest: user.desk_digest,
    has_password: user.has_password,
    two_factor_enabled: hasTwoFactor,
    two_factor_missing: await lacksTwoFactor(deps, { role: user.role, hasTwoFactor }),
    created_at: user.created_at.toISOString(),
  };
}

/** Cancels a pending change of address: after a takeover of the account, the thief may have asked for it. */
export const NO_PENDING_EMAIL = { pending_email: null, verification_next: null } as const;

export function recipientOf(user: store.UserRow): Recipient {
  const { id, email, name, locale, email_verified_at } = user;
  return { email, userId: id, name, locale, proved: email_verified_at !== null };
}

/** The name to greet the user by; null where anyone could have entered it with someone else's address. */
export function greetingName(user: store.UserRow): string | null {
  return user.email_verified_at === null ? null : user.name;
}

/** Enqueues an email to the user; false where the limits of the address refuse it. */
export function emailUser(
  deps: EmailDeps,
  tx: Tx,
  user: store.UserRow,
  email: Omit<Email, 'to'>,
): Promise<boolean> {
  return enqueueEmail(deps, tx, { ...email, to: recipientOf(user) });
}

/** Records an audit event about a user. */
export function recordUserEvent(
  db: Db | Tx,
  action: string,
  { id }: { readonly id: Id },
  { actor, origin }: { readonly actor: Actor | 'system' | null; readonly origin: Origin | null },
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  return record(db, { actor, origin, action, subject_kind: 'user', subject_id: id, data });
}

/** Admins with this permission and a verified address; fifty at most. */
export async function adminsWith(db: Db | Tx, permission: Permission): Promise<Recipient[]> {
  return (await listAdminsWith(db, permission, MOST_RECIPIENTS)).map(recipientOf);
}

/** One email to each of them. Essential ones need no unsubscribe link, so a missing key fails nothing. */
export async function emailAdminsWith(
  deps: EmailDeps,
  tx: Tx,
  permission: Permission,
  kind: string,
  content: EmailContent,
): Promise<void> {
  for (const to of await adminsWith(tx, permission))
    await enqueueEmail(deps, tx, { kind, to, content, essential: true });
}

/** Operators compare the name with that of the payee, so it must not contain invisible characters. */
export function nameErrors(name: string): { name?: string } {
  if (name === '') return { name: 'The name field is required.' };
  if (isPlainText(name)) return {};
  return { name: 'The name field contains characters that cannot be seen.' };
}

export function isName(name: string): boolean {
  return name.length <= MAX_NAME && nameErrors(name).name === undefined;
}

/** A name for a user who has not given one. */
export function nameFrom(email: string): string {
  const [name = ''] = email.split('@');
  // A quoted local part may contain anything.
  return isName(name) ? name : 'Customer';
}

/** Addresses are stored and looked up in lower case. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

export function linkInvalid(): Refusal {
  return new Refusal(
    409,
    'link_invalid',
    'This link is invalid or was already used. Ask for a new one.',
  );
}

export function linkExpired(): Refusal {
  return new Refusal(409, 'link_expired', 'This link has expired. Ask for a new one.');
}
