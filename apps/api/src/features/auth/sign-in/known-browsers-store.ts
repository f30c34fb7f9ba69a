/** Browsers that accounts know, and the links that make one known. */
import { sql } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';

/** Which of these tokens' hashes the account with this address knows. */
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

/** Notes that the person used these browsers now; answers which of the hashes are theirs. */
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
  browser: { readonly userId: Id; readonly tokenHash: Buffer; readonly now: Date },
): Promise<void> {
  await tx
    .insertInto('known_browsers')
    .values({
      token_hash: browser.tokenHash,
      user_id: browser.userId,
      last_used_at: browser.now,
    })
    .execute();
}

/** Deletes the person's browsers beyond the `most` that were used last. */
export async function deleteOldestBrowsers(tx: Tx, userId: Id, most: number): Promise<void> {
  await tx
    .deleteFrom('known_browsers')
    .where('token_hash', 'in', (query) =>
      query
        .selectFrom('known_browsers')
        .select('token_hash')
        .where('user_id', '=', userId)
        .orderBy('last_used_at', 'desc')
        .orderBy('token_hash')
        .offset(most),
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

export async function insertLink(
  tx: Tx,
  link: {
    readonly userId: Id;
    readonly tokenHash: Buffer;
    readonly now: Date;
    readonly expiresAt: Date;
  },
): Promise<void> {
  await tx
    .insertInto('browser_links')
    .values({
      token_hash: link.tokenHash,
      user_id: link.userId,
      requested_at: link.now,
      expires_at: link.expiresAt,
    })
    .execute();
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

/** False when it is gone: of two that follow one link only one is let in. */
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
