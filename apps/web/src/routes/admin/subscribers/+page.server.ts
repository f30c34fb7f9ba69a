import { listSubscribers, subscriberStates } from '@cambist/contract/newsletter';
import { readStateQuery } from '#lib/console/state-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const read = readStateQuery(subscriberStates, new URLSearchParams(url.search));
  const query = { ...read, per_page: 50 };
  return { query, subscribers: await locals.call(listSubscribers, { query }) };
};
