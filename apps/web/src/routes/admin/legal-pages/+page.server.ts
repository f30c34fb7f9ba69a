import { listLegalPageDrafts } from '@cambist/contract/legal-page-writing';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => ({
  pages: (await locals.call(listLegalPageDrafts)).data,
});
