/** Known browsers, and the links that make a browser known, by the hashes of their tokens. */
import { sql, type Insertable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { BrowserLinksTable, KnownBrowsersTable } from '#platform/db/tables.generated.ts';

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
  await tx.deleteFrom('browser_links').where('user_id', '=', userId).execute();
}

export async function deleteBrowsersUsedBefore(db: Db, time: Date): Promise<void> {
  await db.deleteFrom('known_browsers').where('last_used_at', '<', time).execute();
}

export async function hasLinkSince(tx: Tx, userId: Id, since: Date): Promise<boolean> {
  const row = await tx
    .selectFrom('browser_links')
    .select(sql`1`.as('one'))
    .where('user_id', '=', userId)
    .where('requested_at', '>', since)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertLink(tx: Tx, link: Insertable<BrowserLinksTable>): Promise<void> {
  await tx.insertInto('browser_links').values(link).execute();
}

export async function findLink(
  db: Db | Tx,
  tokenHash: Buffer,
): Promise<{ readonly user_id: Id; readonly expires_at: Date } | undefined> {
  return db
    .selectFrom('browser_links')
    .select(['user_id', 'expires_at'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

/** False when it is gone: of two concurrent uses of a link only one deletes it. */
export async function deleteLink(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('browser_links')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function deleteLinksExpiredBefore(db: Db, time: Date): Promise<void> {
  await db.deleteFrom('browser_links').where('expires_at', '<', time).execute();
}
