/**
 * Writing posts. The draft is saved under its version, so that an editor never overwrites another's
 * save unseen; what the public reads changes only by publishing.
 */
import { isDeepStrictEqual } from 'node:util';
import { maxCanonical, maxPostBody, type PostContent } from '@cambist/contract/blog';
import type { PostDraft } from '@cambist/contract/blog-writing';
import { cleanedHtml } from '@cambist/html/clean';
import { writtenAddress } from '@cambist/html/places';
import type { By, ByAnyone } from '#kernel/actor.ts';
import { newId, type Id } from '#kernel/id.ts';
import { notFound } from '#kernel/refusal.ts';
import { slugOf } from '#kernel/slug.ts';
import { refuseTooLong } from '#kernel/too-long.ts';
import { record } from '#features/audit/audit.ts';
import { isSlugTaken, lockAddresses } from '#features/content/address-store.ts';
import {
  deleteRevisions,
  getRevision,
  noteRevision,
  requireVersion,
  savedNow,
  type Author,
} from '#features/content/drafts.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { BLOG } from './blog.ts';
import { getDraft, subjectOf } from './drafts.ts';
import type { PostRow } from './store.ts';
import * as store from './writing-store.ts';

export type WriteDeps = Pick<Deps, 'db' | 'clock' | 'published'>;

/** Creates a draft. Its address is made of the title and is free. */
export async function createPost(deps: WriteDeps, by: ByAnyone, title: string): Promise<PostDraft> {
  return transaction(deps.db, async (tx) => {
    const id = newId();
    await lockAddresses(tx, 'post');
    const slug = await freeSlug(tx, id, slugOf(title) || 'post');
    const author = by.actor === 'system' ? '' : by.actor.name;
    const draft: PostContent = { ...emptyContent, slug, title: title.trim(), author };
    await store.insertPost(tx, {
      id,
      slug,
      title: draft.title,
      author,
      cover: null,
      canonical: null,
      published_at: null,
      announced_at: null,
      draft,
      ...savedNow(deps, by.actor),
    });
    await recordPost(tx, by, 'blog.created', id, { title: draft.title });
    return getDraft(deps, tx, id);
  });
}

const emptyContent: PostContent = {
  slug: '',
  title: '',
  excerpt: '',
  body: '',
  cover: null,
  cover_alt: '',
  author: '',
  tags: [],
  canonical: null,
  meta_title: '',
  meta_description: '',
  head_script: '',
};

async function freeSlug(tx: Tx, id: Id, wanted: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const slug = count === 1 ? wanted : `${wanted.slice(0, 75).replace(/-+$/, '')}-${count}`;
    if (!(await isSlugTaken(tx, 'post', slug, id))) return slug;
  }
}

/** Names what was removed from the body's HTML. @throws {Refusal} 404; 409 `version_conflict` */
export async function saveDraft(
  deps: WriteDeps,
  actor: Author,
  id: Id,
  { version, content }: { readonly version: number; readonly content: PostContent },
): Promise<PostDraft & { removed: string[] }> {
  return transaction(deps.db, async (tx) => {
    const row = await locked(tx, id);
    const { html: body, removed } = cleanedHtml(content.body);
    const draft = { ...tidied(content), body };
    // What is saved already is no conflict: the answer to an earlier request was lost.
    if (!isDeepStrictEqual(draft, row.draft)) {
      requireVersion(row, version);
      refuseTooLong(draft.body, 'content.body', maxPostBody);
      refuseTooLong(draft.canonical ?? '', 'content.canonical', maxCanonical);
      const saved = { version: version + 1, ...savedNow(deps, actor) };
      await store.updatePost(tx, id, { draft, ...saved });
    }
    const revision = { reason: 'saved', content: draft } as const;
    await noteRevision(deps, tx, actor, subjectOf(id), revision);
    return { ...(await getDraft(deps, tx, id)), removed };
  });
}

/** Puts a revision into the draft. @throws {Refusal} 404; 409 `version_conflict` */
export function restoreRevision(
  deps: WriteDeps,
  by: By,
  { id, number, version }: { readonly id: Id; readonly number: number; readonly version: number },
): Promise<PostDraft> {
  return transaction(deps.db, async (tx) => {
    await lockAt(tx, id, version);
    const { content: draft } = await getRevision<PostContent>(tx, subjectOf(id), number);
    await store.updatePost(tx, id, { draft, version: version + 1, ...savedNow(deps, by.actor) });
    await noteRevision(deps, tx, by.actor, subjectOf(id), { reason: 'restored', content: draft });
    await recordPost(tx, by, 'blog.restored', id, { number });
    return getDraft(deps, tx, id);
  });
}

/** @throws {Refusal} 404 */
export function deletePost(deps: WriteDeps, by: By, id: Id): Promise<void> {
  return transaction(deps.db, async (tx) => {
    const row = await locked(tx, id);
    await deleteRevisions(tx, subjectOf(id));
    await store.deletePost(tx, id);
    await deps.published.changed(tx, BLOG);
    await recordPost(tx, by, 'blog.deleted', id, { slug: row.slug, title: row.draft.title });
  });
}

export async function locked(tx: Tx, id: Id): Promise<PostRow> {
  const row = await store.lockPost(tx, id);
  if (row === undefined) throw notFound();
  return row;
}

/** @throws {Refusal} 404; 409 `version_conflict` */
export async function lockAt(tx: Tx, id: Id, version: number): Promise<PostRow> {
  const row = await locked(tx, id);
  requireVersion(row, version);
  return row;
}

function tidied(content: PostContent): PostContent {
  return {
    ...content,
    slug: content.slug.trim(),
    title: content.title.trim(),
    canonical: content.canonical === null ? null : writtenAddress(content.canonical),
    tags: distinct(content.tags.map((tag) => tag.trim())),
  };
}

/** Each tag once, whatever its case. */
function distinct(tags: readonly string[]): string[] {
  const names = tags.map((tag) => tag.toLowerCase());
  return tags.filter((_tag, index) => names.indexOf(names[index] ?? '') === index);
}

export async function recordPost(
  tx: Tx,
  by: ByAnyone,
  action: string,
  id: Id,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  await record(tx, { ...by, action, subject_kind: 'post', subject_id: id, data });
}
