/** Requests for a new password, by the hash of the token that was emailed. */
import { sql, type Insertable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { PasswordResetsTable } from '#platform/db/tables.generated.ts';
import type { UserRow } from '../store.ts';

export async function insertReset(tx: Tx, reset: Insertable<PasswordResetsTable>): Promise<void> {
  await tx.insertInto('password_resets').values(reset).execute();
}

/** How many requests the user has made since `since`, and when the newest was. */
export async function countResets(
  tx: Tx,
  userId: Id,
  since: Date,
): Promise<{ count: number; newest: Date | null }> {
  return tx
    .selectFrom('password_resets')
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<Date | null>`max(requested_at)`.as('newest'),
    ])
    .where('user_id', '=', userId)
    .where('requested_at', '>', since)
    .executeTakeFirstOrThrow();
}

export async function findReset(tx: Tx, tokenHash: Buffer): Promise<{ user_id: Id } | undefined> {
  return tx
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

/**
 * The user of a token, and when it expires. One statement: between two, another link could set the new
 * password, which would then be refused as the current one.
 */
export async function findResetOwner(
  db: Db,
  tokenHash: Buffer,
): Promise<(UserRow & { readonly expires_at: Date }) | undefined> {
  return db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .selectAll('users')
    .select('password_resets.expires_at')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

/** False when it is gone: of two concurrent uses of a token only one deletes it. */
export async function deleteReset(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('password_resets')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function deleteResetsExpiredBefore(db: Db, time: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('password_resets')
    .where('expires_at', '<', time)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export async function deleteResetsOf(tx: Tx, userId: Id): Promise<void> {
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute();
}
