/**
 * Writing posts. The working copy saves itself under its version, so that two
 * editors never overwrite each other unseen; what the public reads changes only
 * by publishing. A post that moves leaves its old address behind for good.
 */
import { isDeepStrictEqual } from 'node:util';
import { maxCanonical, maxPostBody, type PostContent } from '@cambist/contract/blog';
import type { PostDraft } from '@cambist/contract/blog-writing';
import { cleanedHtml } from '@cambist/html/clean';
import { writtenAddress } from '@cambist/html/places';
import type { Actor, Origin } from '#kernel/actor.ts';
import { newId, type Id } from '#kernel/id.ts';
import { notFound, versionConflict } from '#kernel/refusal.ts';
import { savedBy } from '#kernel/saved-by.ts';
import { slugOf } from '#kernel/slug.ts';
import { refuseTooLong } from '#kernel/too-long.ts';
import { record } from '#features/audit/audit.ts';
import { transaction, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { BLOG } from './blog.ts';
import { getDraft } from './drafts.ts';
import { scriptsRun } from './head-scripts.ts';
import { keepOverwritten, keepRevision, type Author } from './keeping.ts';
import { forgetPictures, notePictures } from './pictures.ts';
import type { PostRow } from './store.ts';
import { inKnownSpelling } from './tags.ts';
import * as store from './writing-store.ts';

export type WriteDeps = Pick<Deps, 'db' | 'clock' | 'published'>;

/** Begins a draft. Its address is made of the title, and is free. */
export async function createPost(
  deps: WriteDeps,
  actor: Author,
  origin: Origin | null,
  title: string,
): Promise<PostDraft> {
  const mayRun = await scriptsRun(deps);
  return transaction(deps.db, async (tx) => {
    const id = newId();
    await store.lockAddresses(tx);
    const slug = await freeSlug(tx, id, slugOf(title) || 'post');
    const author = actor === 'system' ? '' : actor.name;
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
      ...savedBy(deps, actor),
    });
    await tell(tx, actor, origin, 'blog.created', id, { title: draft.title });
    return getDraft(deps, tx, id, mayRun);
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
    if (!(await store.isSlugTaken(tx, slug, id))) return slug;
  }
}

export interface Saving {
  readonly version: number;
  readonly content: PostContent;
  /** Makes a revision of it, whatever the time. */
  readonly keep?: boolean;
}

/** Says by name what of the body had no place. Twice is no error. @throws {Refusal} 404; 409 `version_conflict` */
export async function saveDraft(
  deps: WriteDeps,
  actor: Author,
  id: Id,
  { version, content, keep = false }: Saving,
): Promise<PostDraft & { removed: string[] }> {
  const mayRun = await scriptsRun(deps);
  return transaction(deps.db, async (tx) => {
    const row = await locked(tx, id);
    const { html: body, removed } = cleanedHtml(content.body);
    const tidy = { ...tidied(content), body };
    const draft = { ...tidy, tags: await inKnownSpelling(tx, id, tidy.tags, row.draft.tags) };
    // Sent again, since the answer was lost: nobody's text is in its way.
    const isSaved = row.version === version + 1 && isDeepStrictEqual(draft, row.draft);
    if (isSaved) {
      if (keep) await keepRevision(deps, tx, actor, id, draft, { reason: 'saved', always: true });
      return { ...(await getDraft(deps, tx, id, mayRun)), removed };
    }
    if (row.version !== version) throw versionConflict();
    refuseTooLong(draft.body, 'content.body', maxPostBody);
    refuseTooLong(draft.canonical ?? '', 'content.canonical', maxCanonical);
    await keepOverwritten(deps, tx, actor, row, draft);
    await store.updatePost(tx, id, { draft, version: version + 1, ...savedBy(deps, actor) });
    await keepRevision(deps, tx, actor, id, draft, { reason: 'saved', always: keep });
    await notePictures(tx, id);
    return { ...(await getDraft(deps, tx, id, mayRun)), removed };
  });
}

/** @throws {Refusal} 404 */
export function deletePost(deps: WriteDeps, actor: Actor, origin: Origin, id: Id): Promise<void> {
  return transaction(deps.db, async (tx) => {
    const row = await locked(tx, id);
    await forgetPictures(tx, id);
    await store.deletePost(tx, id);
    await deps.published.changed(tx, BLOG);
    await tell(tx, actor, origin, 'blog.deleted', id, { slug: row.slug, title: row.draft.title });
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
  if (row.version !== version) throw versionConflict();
  return row;
}

function tidied(content: PostContent): PostContent {
  return {
    ...content,
    slug: content.slug.trim(),
    title: content.title.trim(),
    canonical: content.canonical === null ? null : writtenAddress(content.canonical),
    tags: content.tags.map((tag) => tag.trim()),
  };
}

export async function tell(
  tx: Tx,
  actor: Author,
  origin: Origin | null,
  action: string,
  id: Id,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  await record(tx, { actor, origin, action, subject_kind: 'post', subject_id: id, data });
}
