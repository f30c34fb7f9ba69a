import { listContactSubmissions, messageStates } from '@cambist/contract/contact';
import { readStateQuery } from '#lib/console/state-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const read = readStateQuery(messageStates, new URLSearchParams(url.search));
  const query = { ...read, per_page: 50 };
  return { query, messages: await locals.call(listContactSubmissions, { query }) };
};
