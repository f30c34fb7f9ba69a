/** Drafts as their editors see them, beside the versions that were published. */
import type { LegalPageDraft, LegalPageNote } from '@cambist/contract/legal-page-writing';
import type { Id } from '#kernel/id.ts';
import { listRedirects } from '#features/content/address-store.ts';
import type { Subject } from '#features/content/drafts.ts';
import { notFound } from '#kernel/refusal.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { versionOf, versionsOf } from './legal-pages.ts';
import type { VersionTimes } from './version-state.ts';
import * as store from './store.ts';

export const subjectOf = (id: Id): Subject => ({ kind: 'legal_page', id });

export async function listDrafts({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): Promise<LegalPageNote[]> {
  const notes: LegalPageNote[] = [];
  // A desk has a handful of them.
  for (const row of await store.listPages(db)) {
    const last = await store.findLastVersion(db, row.id);
    notes.push(noteOf(row, await versionsOf(db, row.id, clock()), last));
  }
  return notes;
}

/** @throws {Refusal} 404 */
export async function getDraft(
  { clock }: Pick<Deps, 'clock'>,
  db: Db | Tx,
  id: Id,
): Promise<LegalPageDraft> {
  const row = await store.findPage(db, id);
  if (row === undefined) throw notFound();
  const versions = await versionsOf(db, id, clock());
  const last = await store.findLastVersion(db, id);
  return {
    ...noteOf(row, versions, last),
    version: row.version,
    content: row.draft,
    saved_by: row.saved_by_name,
    redirects: await listRedirects(db, 'legal_page', id),
    versions: versions.toReversed().map((version) => ({
      ...versionOf(version),
      title: version.title,
      author: version.author_name,
    })),
  };
}

type Last = store.VersionRow | undefined;

function noteOf(
  { id, slug, draft, published_at, saved_at }: store.LegalPageRow,
  versions: readonly (store.VersionHead & VersionTimes)[],
  last: Last,
): LegalPageNote {
  return {
    id,
    slug,
    title: draft.title,
    state: published_at !== null ? 'published' : last ? 'withdrawn' : 'draft',
    in_force: versions.find(({ state }) => state === 'in_force')?.number ?? null,
    announced_on: versions.find(({ state }) => state === 'announced')?.effective_on ?? null,
    changed: last !== undefined && !saysTheSame(draft, last),
    saved_at: saved_at.toISOString(),
  };
}

/** Whether publishing the draft would change nothing for the public. */
export function saysTheSame(
  draft: store.LegalPageRow['draft'],
  { title, summary, body, effective_on }: store.VersionRow,
): boolean {
  return (
    draft.title === title &&
    draft.summary === summary &&
    draft.body === body &&
    (draft.effective_on === null || draft.effective_on === effective_on)
  );
}
