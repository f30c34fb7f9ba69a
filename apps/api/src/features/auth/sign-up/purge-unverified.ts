/**
 * What somebody may have set up on, or written in, an account whose address nobody has proved:
 * they wait there for its owner to come. It goes when the owner, or whoever
 * runs the desk, takes the account over.
 */
import type { Tx } from '#platform/db/database.ts';
import { deleteDevicesOf } from '../account/account-store.ts';
import { nameFrom } from '../people.ts';
import { deleteIdentitiesOf } from '../oauth/provider-store.ts';
import { deleteFactors, type FactorKind } from '../second-factor/second-factor-store.ts';
import type { UserRow } from '../store.ts';

const LOCALE = 'en';

/** What an owner is told of, beside the name. */
export type Planted = FactorKind | 'identities' | 'locale' | 'terms' | 'pending_email';

/**
 * All ways in but the password, and the browsers whose sign-ins are no news. Answers what there was,
 * with what is said anew in its place and the change of address, which every new password ends.
 */
export async function dropPlanted(
  tx: Tx,
  user: Pick<UserRow, 'id' | 'locale' | 'terms_accepted_at' | 'pending_email'>,
): Promise<Planted[]> {
  const dropped: Planted[] = await deleteFactors(tx, user.id);
  if (await deleteIdentitiesOf(tx, user.id)) dropped.push('identities');
  await deleteDevicesOf(tx, user.id);
  if (user.locale !== LOCALE) dropped.push('locale');
  if (user.terms_accepted_at !== null) dropped.push('terms');
  if (user.pending_email !== null) dropped.push('pending_email');
  return dropped;
}

/** In place of what the stranger chose, perhaps for its owner to read in emails; and nobody else has accepted the terms for them. */
export function saidAnew(email: string) {
  return { name: nameFrom(email), locale: LOCALE, terms_accepted_at: null };
}
