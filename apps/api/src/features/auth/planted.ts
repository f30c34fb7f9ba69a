/**
 * What somebody may have set up on, or written in, an account whose address nobody has proved:
 * they wait there for its owner to come. It goes when the owner, or whoever
 * runs the desk, takes the account over.
 */
import type { Id } from '#kernel/id.ts';
import type { Tx } from '#platform/database.ts';
import { deleteDevicesOf } from './account-store.ts';
import { nameFrom } from './people.ts';
import { deleteIdentitiesOf } from './provider-store.ts';
import { deleteFactors } from './second-factor-store.ts';

/** All ways in but the password, and the browsers whose sign-ins are no news. */
export async function dropPlanted(tx: Tx, userId: Id): Promise<void> {
  await deleteFactors(tx, userId);
  await deleteIdentitiesOf(tx, userId);
  await deleteDevicesOf(tx, userId);
}

/** In place of what the stranger chose, perhaps for its owner to read in letters; and nobody else has accepted the terms for them. */
export function saidAnew(email: string) {
  return { name: nameFrom(email), locale: 'en', terms_accepted_at: null };
}
