import { getLegalPageDraft } from '@cambist/contract/legal-page-writing';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params: { id } }) => {
  const { data: page } = await locals.call(getLegalPageDraft, { params: { id } });
  return { page };
};
