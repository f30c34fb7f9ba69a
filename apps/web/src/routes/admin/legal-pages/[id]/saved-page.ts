/** A legal page as the service has it, for whoever is writing it. */
import { getLegalPageDraft, type LegalPageDraft } from '@cambist/contract/legal-page-writing';
import { lineLeaves, revivedLines } from '#lib/admin/comparison.ts';
import { KeptEditing, type Saved } from '#lib/admin/kept-editing.svelte.ts';
import { readable } from '#lib/admin/text-diff/readable.ts';
import { call } from '#lib/api.ts';
import { formOf, pageLabels, type PageForm } from '../page-form.ts';

export function editingOf(page: LegalPageDraft, userId: string): KeptEditing<PageForm> {
  const saved = savedPage(page, userId);
  return new KeptEditing(saved, {
    name: `legal page ${page.id} ${userId}`,
    leaves: lineLeaves<PageForm>(pageLabels(), { body: readable }),
    revive: (kept) => revivedLines(saved.draft, kept),
    fetch: async () => {
      const { data } = await call(getLegalPageDraft, { params: { id: page.id } });
      return savedPage(data, userId);
    },
  });
}

export function savedPage(page: LegalPageDraft, userId: string): Saved<PageForm> {
  const { version, saved_by: by, saved_by_id, saved_at: at } = page;
  return { draft: formOf(page.content), version, by, isOwn: saved_by_id === userId, at };
}
