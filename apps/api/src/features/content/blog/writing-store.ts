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

export async function insertPost(tx: Tx, post: Insertable<PostsTable>): Promise<void> {
  await tx.insertInto('posts').values(post).execute();
}

export async function updatePost(tx: Tx, id: Id, change: Updateable<PostsTable>): Promise<void> {
  await tx.updateTable('posts').set(change).where('id', '=', id).execute();
}

export async function deletePost(tx: Tx, id: Id): Promise<void> {
  await tx.deleteFrom('posts').where('id', '=', id).execute();
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
