/** Who of the desk's people is told of what concerns the desk itself. */
import type { Permission } from '@cambist/contract/endpoint';
import type { Recipient } from '#features/email/email.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { recipientOf } from '../people.ts';
import { listAdminsWith } from './manage-user-store.ts';

/** A desk with more has somebody among them who reads it. */
const MOST = 50;

/** Admins who may do this, at addresses that are theirs; fifty at most. */
export async function adminsWith(db: Db | Tx, permission: Permission): Promise<Recipient[]> {
  return (await listAdminsWith(db, permission, MOST)).map(recipientOf);
}
