/** Known browsers, by the hashes of their tokens. */
import type { Insertable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { KnownBrowsersTable } from '#platform/db/tables.generated.ts';

/** Which of these hashes are known browsers of the account with this address. */
export async function listKnownByEmail(
  db: Db,
  email: string,
  hashes: readonly Buffer[],
): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('known_browsers')
    .innerJoin('users', 'users.id', 'known_browsers.user_id')
    .select('token_hash')
    .where('users.email', '=', email)
    .where('token_hash', 'in', hashes)
    .execute();
  return rows.map(({ token_hash }) => token_hash);
}

/** Records that the user used these browsers now; returns those of the hashes that are theirs. */
export async function updateBrowserUse(
  tx: Tx,
  userId: Id,
  hashes: readonly Buffer[],
  now: Date,
): Promise<Buffer[]> {
  const rows = await tx
    .updateTable('known_browsers')
    .set({ last_used_at: now })
    .where('user_id', '=', userId)
    .where('token_hash', 'in', hashes)
    .returning('token_hash')
    .execute();
  return rows.map(({ token_hash }) => token_hash);
}

export async function insertBrowser(
  tx: Tx,
  browser: Insertable<KnownBrowsersTable>,
): Promise<void> {
  await tx.insertInto('known_browsers').values(browser).execute();
}

/** Deletes the user's browsers beyond the `limit` used last. */
export async function deleteOldestBrowsers(tx: Tx, userId: Id, limit: number): Promise<void> {
  await tx
    .deleteFrom('known_browsers')
    .where('token_hash', 'in', (query) =>
      query
        .selectFrom('known_browsers')
        .select('token_hash')
        .where('user_id', '=', userId)
        .orderBy('last_used_at', 'desc')
        .orderBy('token_hash')
        .offset(limit),
    )
    .execute();
}

export async function deleteBrowsersOf(tx: Tx, userId: Id): Promise<void> {
  await tx.deleteFrom('known_browsers').where('user_id', '=', userId).execute();
}

export async function deleteBrowsersUsedBefore(db: Db, time: Date): Promise<void> {
  await db.deleteFrom('known_browsers').where('last_used_at', '<', time).execute();
}
