/** Drafts of posts as their editors see them, beside what is published. */
import type { PostContent } from '@cambist/contract/blog';
import type { PostDraft, PostNote } from '@cambist/contract/blog-writing';
import { readJsonLd } from '@cambist/html/json-ld';
import { canonical } from '#kernel/canonical.ts';
import type { Id } from '#kernel/id.ts';
import { pageEnvelope, pageWindow, type PageQuery } from '#kernel/page.ts';
import { notFound } from '#kernel/refusal.ts';
import { searchWords } from '#kernel/search-words.ts';
import { listRedirects } from '#features/content/address-store.ts';
import { findLastPublication, type Subject } from '#features/content/drafts.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { PostRow } from './store.ts';
import * as store from './writing-store.ts';

const PATH = '/api/admin/blogs';

export const subjectOf = (id: Id): Subject => ({ kind: 'post', id });

export async function listDrafts(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  query: PageQuery & {
    readonly state?: PostNote['state'];
    readonly tag?: string;
    readonly q?: string;
  },
) {
  const { state, tag, q } = query;
  const now = clock();
  const filter = { state, tag, words: searchWords(q), now };
  const window = pageWindow(query);
  const total = await store.countDrafts(db, filter);
  const rows = await store.listDrafts(db, filter, window);
  const list = { total, shown: rows.length, path: `${config.appUrl}${PATH}` };
  const data = rows.map((row) => noteOf(row, now));
  return { data, ...pageEnvelope(window, list, { state, tag, q }) };
}

/** @throws {Refusal} 404 */
export async function getDraft(
  { clock }: Pick<Deps, 'clock'>,
  db: Db | Tx,
  id: Id,
): Promise<PostDraft> {
  const row = await store.findPost(db, id);
  if (row === undefined) throw notFound();
  const publication = await findLastPublication(db, subjectOf(id));
  return {
    ...noteOf(row, clock()),
    version: row.version,
    content: row.draft,
    published: row.published_at === null ? null : contentOf(row),
    redirects: await listRedirects(db, 'post', id),
    saved_by: row.saved_by_name,
    published_by: publication?.author_name ?? null,
  };
}

function contentOf(row: PostRow): PostContent {
  const { slug, title, excerpt, body, cover, cover_alt, author, tags } = row;
  const { canonical: original, meta_title, meta_description, head_script } = row;
  const shown = { slug, title, excerpt, body, cover, cover_alt, author, tags };
  return { ...shown, canonical: original, meta_title, meta_description, head_script };
}

function stateAt(published_at: Date | null, moment: Date): PostNote['state'] {
  if (published_at === null) return 'draft';
  return published_at > moment ? 'scheduled' : 'published';
}

function noteOf(row: PostRow, now: Date): PostNote {
  const { id, draft, published_at } = row;
  return {
    id,
    slug: published_at === null ? draft.slug : row.slug,
    title: draft.title,
    author: draft.author,
    tags: draft.tags,
    state: stateAt(published_at, now),
    published_at: published_at?.toISOString() ?? null,
    changed: published_at !== null && !saysTheSame(contentOf(row), draft),
    saved_at: row.saved_at.toISOString(),
  };
}

/** Whether publishing the draft would change nothing for the public. */
function saysTheSame(published: PostContent, draft: PostContent): boolean {
  const { head_script: theirs, ...others } = published;
  const { head_script, ...written } = draft;
  return canonical(others) === canonical(written) && isSameData(theirs, head_script);
}

/** Publishing writes structured data in its own form. */
function isSameData(published: string, written: string): boolean {
  try {
    return canonical(readJsonLd(published)) === canonical(readJsonLd(written));
  } catch {
    return false;
  }
}
