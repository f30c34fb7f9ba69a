/** What changes of a person's own account, and the requests for new passwords. */
import { sql, type Updateable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { UsersTable } from '#platform/tables.ts';
import type { UserRow } from './store.ts';

export async function updateUser(tx: Tx, id: Id, change: Updateable<UsersTable>): Promise<UserRow> {
  return tx
    .updateTable('users')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** False when the last letter is younger than `before`: of two requests at once one is false. */
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

export interface ResetRequest {
  readonly userId: Id;
  readonly tokenHash: Buffer;
  readonly now: Date;
  readonly expiresAt: Date;
  /** A request that is younger stands; null replaces any. */
  readonly before: Date | null;
}

/** One open request for a person; a new one replaces it. False when the open one is too young. */
export async function insertReset(tx: Tx, request: ResetRequest): Promise<boolean> {
  const { userId, tokenHash, now, expiresAt, before } = request;
  const { numAffectedRows } = await sql`
    insert into password_resets as open (user_id, token_hash, requested_at, expires_at)
    values (${userId}, ${tokenHash}, ${now}, ${expiresAt})
    on conflict (user_id) do update set token_hash = excluded.token_hash,
      requested_at = excluded.requested_at, expires_at = excluded.expires_at
    where open.requested_at <= coalesce(${before}::timestamptz, 'infinity')`.execute(tx);
  return numAffectedRows === 1n;
}

export interface OpenReset {
  readonly user_id: Id;
  readonly expires_at: Date;
}

export async function findReset(db: Db, tokenHash: Buffer): Promise<OpenReset | undefined> {
  return db
    .selectFrom('password_resets')
    .select(['user_id', 'expires_at'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

/** Takes the request away for good: of two who hold its token only one gets it. */
export async function deleteReset(tx: Tx, tokenHash: Buffer): Promise<OpenReset | undefined> {
  return tx
    .deleteFrom('password_resets')
    .where('token_hash', '=', tokenHash)
    .returning(['user_id', 'expires_at'])
    .executeTakeFirst();
}

export async function deleteResetsOf(tx: Tx, userId: Id): Promise<void> {
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute();
}

/** Afterwards a password alone opens the account, if there is one. */
export async function deleteSecondFactors(tx: Tx, userId: Id): Promise<void> {
  for (const table of ['totp_factors', 'recovery_codes', 'passkeys'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute();
  }
  await tx.updateTable('users').set({ two_factor_at: null }).where('id', '=', userId).execute();
}

export async function deleteIdentities(tx: Tx, userId: Id): Promise<void> {
  await tx.deleteFrom('identities').where('user_id', '=', userId).execute();
}

export async function deleteDevicesOf(tx: Tx, userId: Id): Promise<void> {
  await tx.deleteFrom('known_devices').where('user_id', '=', userId).execute();
}

export async function hasAuthenticator(db: Db, userId: Id): Promise<boolean> {
  const row = await db
    .selectFrom('totp_factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function listPasskeyNames(db: Db, userId: Id) {
  return db
    .selectFrom('passkeys')
    .select(['name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .execute();
}

export async function listProviders(db: Db, userId: Id) {
  return db
    .selectFrom('identities')
    .select(['provider', 'email', 'created_at'])
    .where('user_id', '=', userId)
    .execute();
}
