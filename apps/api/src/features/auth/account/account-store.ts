/** What changes of a person's own account, and the requests for new passwords. */
import { sql, type Updateable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { UsersTable } from '#platform/db/tables.generated.ts';
import { deleteBrowsersOf } from '../sign-in/known-browsers-store.ts';
import type { UserRow } from '../store.ts';

export async function updateUser(tx: Tx, id: Id, change: Updateable<UsersTable>): Promise<UserRow> {
  return tx
    .updateTable('users')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** False when the last email is younger than `before`: of two requests at once one is false. */
export async function noteVerificationSent(
  tx: Tx,
  id: Id,
  { now, before }: { now: Date; before: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ verification_sent_at: now })
    .where('id', '=', id)
    .where((or) =>
      or.or([or('verification_sent_at', 'is', null), or('verification_sent_at', '<=', before)]),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function insertReset(
  tx: Tx,
  request: {
    readonly userId: Id;
    readonly tokenHash: Buffer;
    readonly now: Date;
    readonly expiresAt: Date;
  },
): Promise<void> {
  const { userId, tokenHash, now, expiresAt } = request;
  await tx
    .insertInto('password_resets')
    .values({
      user_id: userId,
      token_hash: tokenHash,
      requested_at: now,
      expires_at: expiresAt,
    })
    .execute();
}

/** How many requests of this person are younger than `since`, and when the last one was. */
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

/** Whose token it is. */
export async function findReset(tx: Tx, tokenHash: Buffer): Promise<{ user_id: Id } | undefined> {
  return tx
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

/**
 * The token's owner with its end. In one statement: between two, another link of
 * theirs may give them a new password, which would then be refused as the old one.
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

/** False when it is gone: of two who hold its token only one gets it. */
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

/** All that the account knows its owner's browsers by. */
export async function deleteDevicesOf(tx: Tx, userId: Id): Promise<void> {
  await deleteBrowsersOf(tx, userId);
  await tx.deleteFrom('known_devices').where('user_id', '=', userId).execute();
}
