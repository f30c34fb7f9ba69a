/** What the public reads of posts. Everything here sees only what is published by `now`. */
import { sql, type Selectable } from 'kysely';
import type { PageWindow } from '#kernel/page.ts';
import type { PostsTable } from '#platform/db/tables.generated.ts';
import type { Db } from '#platform/db/database.ts';
import { countFound, idsOfPage, wordsIn, type Found } from './page-store.ts';

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
  /** One tag, in each of its spellings. */
  readonly tags?: readonly string[] | undefined;
  /** For `to_tsquery`; null for all. */
  readonly words: string | null;
  readonly now: Date;
}

function published(db: Db, { tags, words, now }: PostFilter, byIndex = true) {
  return db
    .selectFrom('posts')
    .where('published_at', '<=', now)
    .$if(tags !== undefined, (query) => query.where(sql<boolean>`tags && ${tags}::text[]`))
    .$if(words !== null, (query) => query.where(wordsIn(['search'], words, byIndex)));
}

const found = (db: Db, filter: PostFilter): Found => ({
  isSearch: filter.words !== null,
  select: (byIndex) => published(db, filter, byIndex).select(['id', 'published_at as at']),
});

export async function countPublished(db: Db, filter: PostFilter): Promise<number> {
  return countFound(db, found(db, filter));
}

/** The newest first, of `total` in all. */
export async function listPublished(
  db: Db,
  filter: PostFilter,
  window: PageWindow,
  total: number,
): Promise<CardRow[]> {
  const ids = await idsOfPage(db, found(db, filter), window, total);
  if (ids.length === 0) return [];
  return db
    .selectFrom('posts')
    .where('id', 'in', ids)
    .select(cardColumns)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
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

/** A post may be published later than it was last written. */
const changedAt = sql<Date>`greatest(updated_at, published_at)`;

/** Of posts that are at home here. */
export async function listAddresses(
  db: Db,
  after: string,
  now: Date,
  limit: number,
): Promise<{ slug: string; updated_at: Date }[]> {
  return db
    .selectFrom('posts')
    .select(['slug', changedAt.as('updated_at')])
    .where('published_at', '<=', now)
    .where('canonical', 'is', null)
    .where('slug', '>', after)
    .orderBy('slug')
    .limit(limit)
    .execute();
}

/**
 * The same addresses, counted in parts of `limit`; `last` is the slug with which a part ends.
 * Each part is read from the index by itself, in its order: to sort and number them takes thrice as long.
 */
export async function listAddressParts(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ last: string; posts: number; updated_at: Date }[]> {
  const { rows } = await sql<{ last: string; posts: number; updated_at: Date }>`
    with recursive parts as (
      select '' as last, ${limit}::int as posts, null::timestamptz as updated_at
      union all
      select part.slugs[part.posts], part.posts, part.updated_at
      from parts, lateral (
        select array_agg(slug) as slugs, count(*)::int as posts, max(changed_at) as updated_at
        from (
          select slug, ${changedAt} as changed_at from posts
          where published_at <= ${now} and canonical is null and slug > parts.last
          order by slug limit ${limit}::int
        ) as addresses
      ) as part
      where parts.posts = ${limit}::int and part.posts > 0
    )
    select last, posts, updated_at from parts where updated_at is not null`.execute(db);
  return rows;
}
