/** SQL on drafts of posts, their publication and former addresses. */
import { sql, type Insertable, type Updateable } from 'kysely';
import type { PostState } from '@cambist/contract/blog-writing';
import type { Id } from '#kernel/id.ts';
import type { PageWindow } from '#kernel/page.ts';
import type { PostsTable } from '#platform/db/tables.generated.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { PostRow } from './store.ts';

export interface DraftFilter {
  readonly state?: PostState | undefined;
  /** A tag of the draft. */
  readonly tag?: string | undefined;
  /** For `to_tsquery`; null for all. */
  readonly words: string | null;
  readonly now: Date;
}

function drafts(db: Db, { state, tag, words, now }: DraftFilter) {
  const inState = {
    draft: sql<boolean>`published_at is null`,
    scheduled: sql<boolean>`published_at > ${now}`,
    published: sql<boolean>`published_at <= ${now}`,
  } as const;
  return db
    .selectFrom('posts')
    .where(state === undefined ? sql<boolean>`true` : inState[state])
    .$if(tag !== undefined, (query) => query.where(sql<boolean>`draft_tags ? ${tag}`))
    .$if(words !== null, (query) => {
      const asked = sql`to_tsquery('simple', ${words})`;
      // The draft's title too: a draft has nothing published to be found by.
      return query.where(sql<boolean>`(search @@ ${asked} or draft_search @@ ${asked})`);
    });
}

export async function countDrafts(db: Db, filter: DraftFilter): Promise<number> {
  const { count } = await drafts(db, filter)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The one saved last first. */
export async function listDrafts(
  db: Db,
  filter: DraftFilter,
  { limit, offset }: PageWindow,
): Promise<PostRow[]> {
  return drafts(db, filter)
    .selectAll()
    .orderBy('saved_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function findPost(db: Db | Tx, id: Id): Promise<PostRow | undefined> {
  return db.selectFrom('posts').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function lockPost(tx: Tx, id: Id): Promise<PostRow | undefined> {
  return tx.selectFrom('posts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Until the end of the transaction nobody else takes an address. */
export async function lockAddresses(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('addresses of posts', 0))`.execute(tx);
}

/** Whether another post is, or was, at this address. */
export async function isSlugTaken(tx: Tx, slug: string, id: Id): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from posts where slug = ${slug} and id <> ${id})
      or exists (select from post_redirects where slug = ${slug} and post_id <> ${id}) as taken`.execute(
    tx,
  );
  return rows[0]?.taken ?? false;
}

export async function insertPost(tx: Tx, post: Insertable<PostsTable>): Promise<void> {
  await tx.insertInto('posts').values(post).execute();
}

export async function updatePost(tx: Tx, id: Id, change: Updateable<PostsTable>): Promise<void> {
  await tx.updateTable('posts').set(change).where('id', '=', id).execute();
}

export async function deletePost(tx: Tx, id: Id): Promise<void> {
  await tx.deleteFrom('posts').where('id', '=', id).execute();
}

/** The old address leads to the post; its new one does so by itself. */
export async function redirect(tx: Tx, id: Id, from: string, to: string): Promise<void> {
  await tx.deleteFrom('post_redirects').where('slug', '=', to).execute();
  await tx
    .insertInto('post_redirects')
    .values({ slug: from, post_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function listRedirects(db: Db | Tx, id: Id): Promise<string[]> {
  const rows = await db
    .selectFrom('post_redirects')
    .select('slug')
    .where('post_id', '=', id)
    .orderBy('slug')
    .execute();
  return rows.map(({ slug }) => slug);
}

/** Marks those whose time has come; answers how many there were. */
export async function announceDue(tx: Tx, now: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('posts')
    .set({ announced_at: now })
    .where('published_at', '<=', now)
    .where('announced_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
