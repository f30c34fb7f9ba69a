import {
  getLegalPageDraft,
  getLegalPageRevision,
  listLegalPageRevisions,
} from '@cambist/contract/legal-page-writing';
import { chosenRevision } from '#lib/console/revisions/chosen-revision.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params: { id }, url }) => {
  const number = chosenRevision(url);
  const [page, revisions, chosen] = await Promise.all([
    locals.call(getLegalPageDraft, { params: { id } }),
    locals.call(listLegalPageRevisions, { params: { id } }),
    number === null ? null : locals.call(getLegalPageRevision, { params: { id, number } }),
  ]);
  return { page: page.data, revisions, chosen: chosen?.data ?? null };
};
