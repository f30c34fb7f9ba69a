/**
 * Anyone can open an account with another person's address and wait for that person to use it. When the
 * owner, or the operator of the desk, takes over an account whose address was never verified, everything
 * that was set up on it goes.
 */
import type { Tx } from '#platform/db/database.ts';
import type { Id } from '#kernel/id.ts';
import { deleteIdentitiesOf } from '../oauth/store.ts';
import { deleteFactors } from '../second-factor/store.ts';
import { deleteBrowsersOf } from '../sign-in/store.ts';
import { nameFrom } from '../users.ts';

/** Removes all ways to sign in except the password, and all known browsers. */
export async function purgeUnverified(tx: Tx, userId: Id): Promise<void> {
  await deleteFactors(tx, userId);
  await deleteIdentitiesOf(tx, userId);
  await deleteBrowsersOf(tx, userId);
}

/** Replaces what may be another person's text, and the consent to the terms. */
export function unverifiedDefaults(email: string) {
  return { name: nameFrom(email), locale: 'en', terms_accepted_at: null };
}
