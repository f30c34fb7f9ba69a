/** The working copy of a legal page, as it would be if it were published now. */
import type { LegalPage } from '@cambist/contract/legal-pages';
import type { Id } from '#kernel/id.ts';
import { notFound } from '#kernel/refusal.ts';
import type { Deps } from '#platform/deps.ts';
import { previewedId, previewLink } from '#platform/preview-link.ts';
import { pageOf } from './legal-pages.ts';
import { dayOf, standings } from './standing.ts';
import * as store from './store.ts';

const place = { purpose: 'legal page preview', path: '/legal-preview/' };

type PreviewDeps = Pick<Deps, 'db' | 'clock' | 'keys' | 'config'>;

/** @throws {Refusal} 404 */
export async function makeLink(deps: PreviewDeps, id: Id) {
  if (!(await store.findPage(deps.db, id))) throw notFound();
  return previewLink(deps, place, id);
}

/** @throws {Refusal} 404 for a link that is over, was never made, or whose page is gone */
export async function openLink(deps: PreviewDeps, token: string): Promise<LegalPage> {
  const { db, clock } = deps;
  const row = await store.findPage(db, previewedId(deps, place, token));
  if (row === undefined) throw notFound();
  const now = clock();
  const versions = await store.listVersions(db, row.id);
  const next = {
    ...row.draft,
    page_id: row.id,
    number: (versions.at(-1)?.number ?? 0) + 1,
    effective_on: row.draft.effective_on ?? dayOf(now),
    author_id: null,
    author_name: null,
    at: now,
  };
  const stood = standings([...versions, next], dayOf(now));
  const [shown] = standings([next], dayOf(now));
  if (shown === undefined) throw notFound();
  return pageOf(row.slug, shown, stood, now);
}
