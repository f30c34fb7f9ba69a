/**
 * What ends with a new password. Anyone can open an account with another person's address and wait for that
 * person to use it: when the owner, or the operator of the desk, takes over an account whose address was
 * never verified, everything that was set up on it goes.
 */
import type { Updateable } from 'kysely';
import type { Tx } from '#platform/db/database.ts';
import type { UsersTable } from '#platform/db/tables.generated.ts';
import { deleteIdentitiesOf } from '../oauth/store.ts';
import { deleteFactors } from '../second-factor/store.ts';
import { endSessionsOf } from '../sessions/sessions.ts';
import { deleteBrowsersOf } from '../sign-in/store.ts';
import { updateUser, type UserRow } from '../store.ts';
import { nameFrom, NO_PENDING_EMAIL } from '../users.ts';
import { deleteResetsOf } from './store.ts';

/** Sets the password and ends all sessions, links and known browsers: a thief of the old one may have them. */
export async function setPassword(
  tx: Tx,
  { id }: UserRow,
  passwordHash: string,
  change: Updateable<UsersTable> = {},
): Promise<{ user: UserRow; sessionsEnded: number }> {
  await deleteResetsOf(tx, id);
  await deleteBrowsersOf(tx, id);
  const user = await updateUser(tx, id, {
    password_hash: passwordHash,
    taken_password_hash: null,
    ...NO_PENDING_EMAIL,
    ...change,
  });
  return { user, sessionsEnded: await endSessionsOf(tx, id) };
}

/**
 * Does the same for the owner of the address or the operator, and removes from an unverified account all
 * other ways to sign in, the consent to the terms and what may be another person's text.
 */
export async function takeOver(
  tx: Tx,
  user: UserRow,
  passwordHash: string,
  change: Updateable<UsersTable> = {},
): Promise<{ user: UserRow; sessionsEnded: number; purged: boolean }> {
  if (user.email_verified_at !== null) {
    return { ...(await setPassword(tx, user, passwordHash, change)), purged: false };
  }
  await deleteFactors(tx, user.id);
  await deleteIdentitiesOf(tx, user.id);
  const defaults = { name: nameFrom(user.email), locale: 'en', terms_accepted_at: null };
  const taken = await setPassword(tx, user, passwordHash, { ...defaults, ...change });
  return { ...taken, purged: true };
}
