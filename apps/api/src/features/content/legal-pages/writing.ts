/**
 * Writing legal pages. The draft is saved under its version, so that an editor never overwrites
 * another's save unseen; a slug that belongs to another page of the site is refused, since one of
 * the two would never be seen (specification, section 4.4). A page that was public can be taken off
 * the site, never deleted.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  maxPageBody,
  type LegalPageContent,
  type LegalPageDraft,
} from '@cambist/contract/legal-page-writing';
import { reservedSlugs } from '@cambist/contract/legal-pages';
import { cleanedHtml } from '@cambist/html/clean';
import type { By, ByAnyone } from '#kernel/actor.ts';
import { newId, type Id } from '#kernel/id.ts';
import { invalid, notFound, Refusal, versionConflict } from '#kernel/refusal.ts';
import { slugOf } from '#kernel/slug.ts';
import { refuseTooLong } from '#kernel/too-long.ts';
import { record } from '#features/audit/audit.ts';
import { isSlugTaken, lockAddresses, redirect } from '#features/content/address-store.ts';
import {
  deleteRevisions,
  getRevision,
  noteRevision,
  requireVersion,
  savedNow,
} from '#features/content/drafts.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { getDraft, subjectOf } from './drafts.ts';
import { LEGAL_PAGES } from './legal-pages.ts';
import * as store from './store.ts';

export type WriteDeps = Pick<Deps, 'db' | 'clock' | 'published'>;

const STEP = 10;
const emptyContent: LegalPageContent = {
  title: '',
  summary: '',
  body: '',
  change: '',
  effective_on: null,
};

/** Creates a page at the end of the list. @throws {Refusal} 422 on `slug` */
export function createPage(
  deps: WriteDeps,
  by: ByAnyone,
  { title: typed, slug: wanted }: { readonly title: string; readonly slug?: string },
): Promise<LegalPageDraft> {
  return transaction(deps.db, async (tx) => {
    const id = newId();
    const title = typed.trim();
    const slug = wanted ?? slugOf(title);
    // Locks pages before addresses, as moving a page does.
    const pages = await store.lockPages(tx);
    await assertFree(tx, slug, id);
    const position = Math.max(0, ...pages.map((page) => page.position)) + STEP;
    const draft = { ...emptyContent, title };
    const row = { id, slug, position, published_at: null, draft, ...savedNow(deps, by.actor) };
    await store.insertPage(tx, row);
    await recordPage(tx, by, 'legal_pages.created', row);
    return getDraft(deps, tx, id);
  });
}

/** Names what was removed from the HTML. @throws {Refusal} 404; 409 `version_conflict` */
export function savePage(
  deps: WriteDeps,
  by: ByAnyone,
  id: Id,
  { version, content }: { readonly version: number; readonly content: LegalPageContent },
): Promise<LegalPageDraft & { removed: string[] }> {
  return transaction(deps.db, async (tx) => {
    const row = await locked(tx, id);
    const { html: body, removed } = cleanedHtml(content.body);
    refuseTooLong(body, 'content.body', maxPageBody);
    const draft = { ...content, title: content.title.trim(), body };
    // What is saved already is no conflict: the answer to an earlier request was lost.
    if (!isDeepStrictEqual(draft, row.draft)) {
      requireVersion(row, version);
      await store.updatePage(tx, id, { draft, version: version + 1, ...savedNow(deps, by.actor) });
      await recordPage(tx, by, 'legal_pages.updated', { ...row, draft });
    }
    const revision = { reason: 'saved', content: draft } as const;
    await noteRevision(deps, tx, by.actor, subjectOf(id), revision);
    return { ...(await getDraft(deps, tx, id)), removed };
  });
}

/** Puts a revision into the draft. @throws {Refusal} 404; 409 `version_conflict` */
export function restoreRevision(
  deps: WriteDeps,
  by: By,
  { id, number, version }: { readonly id: Id; readonly number: number; readonly version: number },
): Promise<LegalPageDraft> {
  return transaction(deps.db, async (tx) => {
    const row = await lockAt(tx, id, version);
    const revision = await getRevision<LegalPageContent>(tx, subjectOf(id), number);
    // The note and the day of a published version belong to that version.
    const draft =
      revision.reason === 'published'
        ? { ...revision.content, change: '', effective_on: null }
        : revision.content;
    await store.updatePage(tx, id, { draft, version: version + 1, ...savedNow(deps, by.actor) });
    await noteRevision(deps, tx, by.actor, subjectOf(id), { reason: 'restored', content: draft });
    await recordPage(tx, by, 'legal_pages.restored', row, { number });
    return getDraft(deps, tx, id);
  });
}

/** At once; an address that was public redirects permanently. @throws {Refusal} 404; 409; 422 on `slug` */
export function movePage(
  deps: WriteDeps,
  by: By,
  id: Id,
  { version, slug }: { readonly version: number; readonly slug: string },
): Promise<LegalPageDraft> {
  return transaction(deps.db, async (tx) => {
    const row = await lockAt(tx, id, version);
    if (slug === row.slug) return getDraft(deps, tx, id);
    await assertFree(tx, slug, id);
    if (await store.findLastVersion(tx, id)) {
      await redirect(tx, 'legal_page', id, { from: row.slug, to: slug });
    }
    await store.updatePage(tx, id, { slug, version: version + 1 });
    await deps.published.changed(tx, LEGAL_PAGES);
    await recordPage(tx, by, 'legal_pages.moved', { ...row, slug }, { from: row.slug });
    return getDraft(deps, tx, id);
  });
}

/** @throws {Refusal} 409 `version_conflict` where the list is another one by now */
export function orderPages(deps: WriteDeps, by: By, ids: readonly Id[]): Promise<void> {
  return transaction(deps.db, async (tx) => {
    const pages = await store.lockPages(tx);
    const known = new Set(pages.map(({ id }) => id));
    if (known.size !== ids.length || !ids.every((id) => known.has(id))) throw versionConflict();
    for (const [index, id] of ids.entries()) {
      await store.updatePage(tx, id, { position: (index + 1) * STEP });
    }
    await deps.published.changed(tx, LEGAL_PAGES);
    const about = { subject_kind: 'legal_page', subject_id: 'all' };
    await record(tx, { ...by, action: 'legal_pages.ordered', ...about });
  });
}

/** @throws {Refusal} 404; 409 `was_published` */
export function deletePage(deps: WriteDeps, by: By, id: Id): Promise<void> {
  return transaction(deps.db, async (tx) => {
    const row = await locked(tx, id);
    if (await store.findLastVersion(tx, id)) {
      throw new Refusal(
        409,
        'was_published',
        'What was published is kept. Take the page off the site instead.',
      );
    }
    await deleteRevisions(tx, subjectOf(id));
    await store.deletePage(tx, id);
    await recordPage(tx, by, 'legal_pages.deleted', row);
  });
}

async function assertFree(tx: Tx, slug: string, id: Id): Promise<void> {
  if (slug === '') throw invalid({ slug: 'The page needs an address.' });
  if ((reservedSlugs as readonly string[]).includes(slug)) {
    throw invalid({ slug: 'The address belongs to another page of the site.' });
  }
  await lockAddresses(tx, 'legal_page');
  if (await isSlugTaken(tx, 'legal_page', slug, id)) {
    throw invalid({ slug: 'The slug has already been taken.' });
  }
}

/** @throws {Refusal} 404 */
export async function locked(tx: Tx, id: Id): Promise<store.LegalPageRow> {
  const row = await store.lockPage(tx, id);
  if (row === undefined) throw notFound();
  return row;
}

/** @throws {Refusal} 404; 409 `version_conflict` */
export async function lockAt(tx: Tx, id: Id, version: number): Promise<store.LegalPageRow> {
  const row = await locked(tx, id);
  requireVersion(row, version);
  return row;
}

export async function recordPage(
  tx: Tx,
  by: ByAnyone,
  action: string,
  { id, slug, draft }: Pick<store.LegalPageRow, 'id' | 'slug' | 'draft'>,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const data = { slug, title: draft.title, ...more };
  await record(tx, { ...by, action, subject_kind: 'legal_page', subject_id: id, data });
}
