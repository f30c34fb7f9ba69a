/** What making an admin changes of a person. */
import type { Id } from '#kernel/id.ts';
import type { Tx } from '#platform/db/database.ts';
import type { UserRow } from '../store.ts';

/** Locked until the transaction ends, so that of two commands one comes after the other. */
export async function lockUserByEmail(tx: Tx, email: string): Promise<UserRow | undefined> {
  return tx
    .selectFrom('users')
    .selectAll()
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateToAdmin(tx: Tx, id: Id, permissions: readonly string[]): Promise<void> {
  await tx
    .updateTable('users')
    .set({ role: 'admin', permissions: [...permissions] })
    .where('id', '=', id)
    .execute();
}
