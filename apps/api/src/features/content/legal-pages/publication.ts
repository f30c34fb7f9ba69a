/** Publishing a version of the draft, taking a page off the site and putting it back. */
import type { LegalPageContent, LegalPageDraft } from '@cambist/contract/legal-page-writing';
import { isVisible } from '@cambist/contract/visible-text';
import { textOf } from '@cambist/html/text';
import type { By, ByAnyone } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import { invalid, Refusal } from '#kernel/refusal.ts';
import { listRedirects } from '#features/content/address-store.ts';
import { noteRevision } from '#features/content/drafts.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { getDraft, saysTheSame, subjectOf } from './drafts.ts';
import { areLedTo, LEGAL_PAGES } from './legal-pages.ts';
import { dayOf } from './version-state.ts';
import * as store from './store.ts';
import { lockAt, locked, recordPage, type WriteDeps } from './writing.ts';

/**
 * Makes the next version, in force from its day on.
 * @throws {Refusal} 404; 409 `version_conflict`, `nothing_changed`; 422 by field
 */
export function publish(
  deps: WriteDeps,
  by: ByAnyone,
  id: Id,
  version: number,
): Promise<LegalPageDraft> {
  return transaction(deps.db, async (tx) => {
    const row = await lockAt(tx, id, version);
    const last = await store.findLastVersion(tx, id);
    if (last && saysTheSame(row.draft, last)) {
      throw new Refusal(409, 'nothing_changed', 'Nothing has changed since the latest version.');
    }
    const now = deps.clock();
    const errors = unpublishable(row.draft, last, dayOf(now));
    if (Object.keys(errors).length > 0) throw invalid(errors);

    const { title, summary, body, change } = row.draft;
    const number = (last?.number ?? 0) + 1;
    const effective_on = row.draft.effective_on ?? dayOf(now);
    const text = { title, summary, body, change, effective_on };
    const who = by.actor === 'system' ? null : by.actor;
    const author = { author_id: who?.id ?? null, author_name: who?.name ?? null };
    await store.insertVersion(tx, { page_id: id, number, ...text, ...author, at: now });
    // The note and the day belong to this version, not to the next one.
    const draft = { ...row.draft, change: '', effective_on: null };
    await store.updatePage(tx, id, {
      draft,
      published_at: row.published_at ?? now,
      version: version + 1,
    });
    await noteRevision(deps, tx, by.actor, subjectOf(id), {
      reason: 'published',
      content: row.draft,
    });
    await deps.published.changed(tx, LEGAL_PAGES);
    await recordPage(tx, by, 'legal_pages.published', row, { version: number, effective_on });
    return getDraft(deps, tx, id);
  });
}

/**
 * Puts the versions back on the site, whatever the draft says by now.
 * @throws {Refusal} 404; 409 `never_published`
 */
export function bringBack(deps: WriteDeps, by: By, id: Id): Promise<LegalPageDraft> {
  return transaction(deps.db, async (tx) => {
    const row = await locked(tx, id);
    if (row.published_at !== null) return getDraft(deps, tx, id);
    if ((await store.findLastVersion(tx, id)) === undefined) {
      throw new Refusal(409, 'never_published', 'The page has no version that could come back.');
    }
    await store.updatePage(tx, id, { published_at: deps.clock(), version: row.version + 1 });
    await deps.published.changed(tx, LEGAL_PAGES);
    await recordPage(tx, by, 'legal_pages.published', row);
    return getDraft(deps, tx, id);
  });
}

/** What keeps the draft from being published, by field. */
function unpublishable(
  draft: LegalPageContent,
  last: store.VersionRow | undefined,
  today: string,
): Record<string, string> {
  const errors: Record<string, string> = {};
  if (!isVisible(draft.title)) errors['title'] = 'A page needs a title.';
  if (!isVisible(textOf(draft.body))) errors['body'] = 'A page needs a text.';
  if (last && !isVisible(draft.change)) {
    errors['change'] = 'Say in a sentence what changes with this version.';
  }
  // A first version may have been in force elsewhere; a later one cannot bind anybody backwards.
  if (last && draft.effective_on !== null && draft.effective_on < today) {
    errors['effective_on'] = 'A new version cannot come into force on a day that is past.';
  }
  return errors;
}

/** @throws {Refusal} 404; 409 `page_is_named` while the settings lead visitors to it */
export function withdraw(
  deps: WriteDeps & Pick<Deps, 'pathsLedTo'>,
  by: By,
  id: Id,
): Promise<LegalPageDraft> {
  return transaction(deps.db, async (tx) => {
    const row = await locked(tx, id);
    if (row.published_at !== null) {
      if (await areLedTo(deps, tx, [row.slug, ...(await listRedirects(tx, 'legal_page', id))])) {
        throw new Refusal(
          409,
          'page_is_named',
          'Settings › General names this page: sign-up leads to it. Choose another one there first.',
        );
      }
      await store.updatePage(tx, id, { published_at: null, version: row.version + 1 });
      await deps.published.changed(tx, LEGAL_PAGES);
      await recordPage(tx, by, 'legal_pages.withdrawn', row);
    }
    return getDraft(deps, tx, id);
  });
}
