/**
 * The blog as the public reads it, from memory: the answer for each address and page of the list is
 * cached until something is published, in whatever process. Searches are not cached.
 */
import type { PostCard, PublicPost } from '@cambist/contract/blog';
import { MarkupFault, readJsonLd } from '@cambist/html/json-ld';
import { writtenAddress } from '@cambist/html/places';
import { notFound } from '#kernel/refusal.ts';
import { pageEnvelope, pageWindow, type PageQuery } from '#kernel/page.ts';
import { searchWords } from '#kernel/search-words.ts';
import { fallbackOf } from '#features/content/media/media.ts';
import type { Db } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import * as store from './store.ts';
import * as tagStore from './tag-store.ts';

/** The cache tag of every answer made of posts. */
export const BLOG = 'blog';
export const followsBlog = { follows: [BLOG] };
const PATH = '/api/public/blogs';
const PER_PAGE = 12;
const RELATED = 3;
const ADDRESSES = 10_000;

type ReadDeps = Pick<Deps, 'db' | 'clock' | 'config'>;

export interface BlogQuery extends PageQuery {
  readonly tag?: string;
  readonly q?: string;
}

export async function listPosts({ db, clock, config }: ReadDeps, query: BlogQuery) {
  const { q, tag } = query;
  const filter = { tag, words: searchWords(q), now: clock() };
  const window = pageWindow({ per_page: PER_PAGE, ...query });
  const total = await store.countPublished(db, filter);
  const rows = await store.listPublished(db, filter, window);
  const list = { total, shown: rows.length, path: `${config.appUrl}${PATH}` };
  return { data: rows.map(cardOf), ...pageEnvelope(window, list, { tag, q }) };
}

/**
 * The cache name of an answer made of posts. It changes when a scheduled post's time comes, which
 * every process sees by its own clock.
 */
export async function currentName(
  { db, clock, published }: Pick<Deps, 'db' | 'clock' | 'published'>,
  name: string,
): Promise<string> {
  const times = await published.cached(
    'blog times',
    () => store.listTimes(db, clock()),
    followsBlog,
  );
  const now = clock();
  const latest = times.findLast((time) => time <= now);
  return `blog ${name} ${latest?.toISOString() ?? ''}`;
}

/** At its present or a former address. @throws {Refusal} 404 */
export async function getPost({ db, clock }: ReadDeps, slug: string): Promise<PublicPost> {
  const now = clock();
  const row = await store.findPublished(db, slug, now);
  if (row === undefined) throw notFound();
  const related = await store.listRelated(db, row, now, RELATED);
  return postOf(db, row, related.map(cardOf));
}

export async function listTags({ db, clock }: ReadDeps) {
  return tagStore.listTags(db, 'public', clock());
}

/** The newest first. A post that first appeared elsewhere is left out. */
export async function listAddresses({ db, clock }: ReadDeps) {
  const rows = await store.listAddresses(db, clock(), ADDRESSES);
  return rows.map(({ slug, updated_at }) => ({ slug, updated_at: updated_at.toISOString() }));
}

export async function postOf(
  db: Db,
  row: Omit<store.PostRow, 'search' | 'draft'>,
  related: readonly PostCard[],
): Promise<PublicPost> {
  const { body, canonical, meta_title, meta_description } = row;
  return {
    ...cardOf(row),
    body,
    cover_fallback: row.cover === null ? null : await fallbackOf(db, row.cover),
    canonical: canonical === null ? null : writtenAddress(canonical),
    meta_title,
    meta_description,
    structured: structuredData(row.head_script) as PublicPost['structured'],
    related: [...related],
  };
}

/** None while it is being written in a preview. */
function structuredData(source: string): object[] {
  try {
    return readJsonLd(source);
  } catch (error) {
    if (error instanceof MarkupFault) return [];
    throw error;
  }
}

function cardOf(row: store.CardRow): PostCard {
  const { id, slug, title, excerpt, cover, cover_alt, author, tags, reading_minutes } = row;
  return {
    id,
    slug,
    title,
    excerpt,
    cover,
    cover_alt,
    author,
    tags,
    reading_minutes,
    published_at: (row.published_at ?? row.updated_at).toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
