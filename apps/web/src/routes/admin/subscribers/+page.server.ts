import { listSubscribers, subscriberStates } from '@cambist/contract/newsletter';
import { readListQuery } from '#lib/browser/list-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = { ...readListQuery(subscriberStates, url), per_page: 50 };
  return { query, subscribers: await locals.call(listSubscribers, { query }) };
};
