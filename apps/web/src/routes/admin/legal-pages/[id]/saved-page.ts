/**
 * A legal page as the service has it, for whoever is writing it: its text, and its
 * address, which is kept and compared by itself, since it may move without the text.
 */
import { getLegalPageDraft, type LegalPageDraft } from '@cambist/contract/legal-page-writing';
import { stretchesOf } from '@cambist/markup/readable';
import { lineLeaves, revivedLines } from '#lib/admin/comparison.ts';
import { KeptEditing, type Saved } from '#lib/admin/kept-editing.svelte.ts';
import { call } from '#lib/api.ts';
import { m } from '#lib/paraglide/messages.js';
import { formOf, pageLabels, type PageForm } from '../page-form.ts';

export function editingOf(page: LegalPageDraft, userId: string): KeptEditing<PageForm> {
  const saved = savedPage(page, userId);
  return new KeptEditing(saved, {
    name: `legal page ${page.id} ${userId}`,
    leaves: lineLeaves<PageForm>(pageLabels(), { body: stretchesOf }),
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

export interface AddressDraft {
  slug: string;
}

export function addressOf(page: LegalPageDraft, userId: string): KeptEditing<AddressDraft> {
  const saved = savedAddress(page);
  const leaves = lineLeaves<AddressDraft>({ slug: m.legal_admin_address() });
  return new KeptEditing(saved, {
    name: `address of legal page ${page.id} ${userId}`,
    leaves: leaves.map((leaf) => ({ ...leaf, sent: ({ slug }) => slug.trim() })),
    revive: (kept) => revivedLines(saved.draft, kept),
    fetch: async () => {
      const { data } = await call(getLegalPageDraft, { params: { id: page.id } });
      return savedAddress(data);
    },
  });
}

/** Nobody is named: who saved the text last need not be who moved it. */
export function savedAddress({ slug, version }: LegalPageDraft): Saved<AddressDraft> {
  return { draft: { slug }, version, by: null, isOwn: false, at: null };
}
