import { listContactSubmissions, messageStates } from '@cambist/contract/contact';
import { readListQuery } from '#lib/browser/list-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = { ...readListQuery(messageStates, url), per_page: 50 };
  return { query, messages: await locals.call(listContactSubmissions, { query }) };
};
