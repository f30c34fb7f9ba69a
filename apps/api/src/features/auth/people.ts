/** People as they are kept and as the wire shows them. */
import type { User } from '@cambist/contract/accounts';
import { isPlainText } from '@cambist/contract/visible-text';
import { newId, type Id } from '#kernel/id.ts';
import { notFound } from '#kernel/refusal.ts';
import type { Recipient } from '#features/email/email.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import * as store from './store.ts';
import { lacksTwoFactor, type PolicyDeps } from './second-factor/two-factor-policy.ts';

/** The person as the wire shows them. */
export async function getUser(deps: PolicyDeps, id: Id): Promise<User> {
  const user = await store.findUser(deps.db, id);
  if (!user) throw notFound();
  return wireUser(deps, user);
}

/** How many people there are; none on a desk that was never started. */
export function countUsers(db: Db | Tx): Promise<number> {
  return store.countUsers(db);
}

export interface NewUser {
  readonly name: string;
  readonly email: string;
  /** Null for someone who cannot sign in with a password. */
  readonly passwordHash: string | null;
  readonly now: Date;
  readonly role?: 'user' | 'admin';
  readonly permissions?: readonly string[];
  readonly locale?: string;
  readonly emailVerifiedAt?: Date;
  readonly termsAcceptedAt?: Date;
}

/** Adds a person; undefined when the address is taken. Hash the password before the transaction. */
export async function createUser(tx: Tx, user: NewUser): Promise<store.UserRow | undefined> {
  return store.insertUser(tx, {
    id: newId(),
    name: user.name,
    email: normalized(user.email),
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

/** Takes back the wish for another address: whoever asked for it may not have been the owner. */
export const NO_NEW_ADDRESS = { pending_email: null, verification_next: null } as const;

/** To whom emails about this account go. */
export function recipientOf({
  id,
  email,
  name,
  locale,
  email_verified_at,
}: Pick<store.UserRow, 'id' | 'email' | 'name' | 'locale' | 'email_verified_at'>): Recipient {
  return { email, userId: id, name, locale, proved: email_verified_at !== null };
}

const MAX_NAME = 100;

/** The desk reads the name beside the one that is paid out to. */
export function nameErrors(name: string): { name?: string } {
  if (name === '') return { name: 'The name field is required.' };
  if (isPlainText(name)) return {};
  return { name: 'The name field contains characters that cannot be seen.' };
}

/** Whether somebody may be called so. */
export function isName(name: string): boolean {
  return name.length <= MAX_NAME && nameErrors(name).name === undefined;
}

/** What to call somebody who has not said it, or whose name may be a stranger's words: the desk reads it in lists. */
export function nameFrom(email: string): string {
  const [name = ''] = email.split('@');
  // What is in quotes before the @ may be anything.
  return isName(name) ? name : 'Customer';
}

/** Addresses are kept and looked for in lower case. */
export function normalized(email: string): string {
  return email.trim().toLowerCase();
}

export async function wireUser(deps: PolicyDeps, user: store.UserRow): Promise<User> {
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
    has_password: user.password_hash !== null,
    two_factor_enabled: hasTwoFactor,
    two_factor_missing: await lacksTwoFactor(deps, { role: user.role, hasTwoFactor }),
    created_at: user.created_at.toISOString(),
  };
}
