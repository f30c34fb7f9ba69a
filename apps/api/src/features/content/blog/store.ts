/** What the public reads of posts. Everything here sees only what is published by `now`. */
import { sql, type Selectable } from 'kysely';
import type { PageWindow } from '#kernel/page.ts';
import type { PostsTable } from '#platform/db/tables.generated.ts';
import type { Db } from '#platform/db/database.ts';

export type PostRow = Selectable<PostsTable>;

const cardColumns = [
  'id',
  'slug',
  'title',
  'excerpt',
  'cover',
  'cover_alt',
  'author',
  'tags',
  'reading_minutes',
  'published_at',
  'updated_at',
] as const;
export type CardRow = Pick<PostRow, (typeof cardColumns)[number]>;

export interface PostFilter {
  readonly tag?: string | undefined;
  /** For `to_tsquery`; null for all. */
  readonly words: string | null;
  readonly now: Date;
}

function published(db: Db, { tag, words, now }: PostFilter) {
  return db
    .selectFrom('posts')
    .where('published_at', '<=', now)
    .$if(tag !== undefined, (query) => query.where(sql<boolean>`tags @> array[${tag}]::text[]`))
    .$if(words !== null, (query) =>
      query.where(sql<boolean>`search @@ to_tsquery('simple', ${words})`),
    );
}

export async function countPublished(db: Db, filter: PostFilter): Promise<number> {
  const { count } = await published(db, filter)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The newest first. */
export async function listPublished(
  db: Db,
  filter: PostFilter,
  { limit, offset }: PageWindow,
): Promise<CardRow[]> {
  return published(db, filter)
    .select(cardColumns)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function findPublished(db: Db, slug: string, now: Date): Promise<PostRow | undefined> {
  return db
    .selectFrom('posts')
    .selectAll()
    .where('published_at', '<=', now)
    .where(
      sql<boolean>`id = coalesce(
        (select id from posts where slug = ${slug}),
        (select post_id from post_redirects where slug = ${slug}))`,
    )
    .executeTakeFirst();
}

/** Whoever has read a post is led on to what is not all too old; to compare every post grows with the blog. */
const COMPARED = 500;

/** Of the newest posts those that share the most tags; among equals the newest. */
export async function listRelated(
  db: Db,
  { id, tags }: Pick<PostRow, 'id' | 'tags'>,
  now: Date,
  limit: number,
): Promise<CardRow[]> {
  if (tags.length === 0) return [];
  const newest = published(db, { words: null, now })
    .select(cardColumns)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(COMPARED);
  return db
    .selectFrom(newest.as('newest'))
    .selectAll()
    .where('id', '!=', id)
    .where(sql<boolean>`tags && ${tags}::text[]`)
    .orderBy(
      sql`(select count(*) from unnest(tags) as tag where tag = any(${tags}::text[]))`,
      'desc',
    )
    .orderBy('published_at', 'desc')
    .limit(limit)
    .execute();
}

/** More do not come before they are asked for anew. */
const COMING = 100;

/** The moment of the newest public post, and those at which scheduled ones follow; ascending. */
export async function listTimes(db: Db, now: Date): Promise<Date[]> {
  const { rows } = await sql<{ time: Date }>`
    (select published_at as time from posts where published_at <= ${now} order by published_at desc limit 1)
    union all
    (select distinct published_at from posts where published_at > ${now} order by published_at limit ${COMING})`.execute(
    db,
  );
  return rows.map(({ time }) => time).toSorted((one, other) => one.getTime() - other.getTime());
}

/** Of posts that did not first appear elsewhere; the newest first. */
export async function listAddresses(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ slug: string; updated_at: Date }[]> {
  return (
    db
      .selectFrom('posts')
      // A post may be published later than it was last written.
      .select(['slug', sql<Date>`greatest(updated_at, published_at)`.as('updated_at')])
      .where('published_at', '<=', now)
      .where('canonical', 'is', null)
      .orderBy('published_at', 'desc')
      .limit(limit)
      .execute()
  );
}
