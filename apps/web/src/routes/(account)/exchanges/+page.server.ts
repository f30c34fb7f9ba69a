import { listExchanges } from '@cambist/contract/exchanges';
import { readHistoryQuery } from '#lib/exchange/history-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = readHistoryQuery(new URLSearchParams(url.search));
  const { data, meta } = await locals.call(listExchanges, { query });
  return { query, exchanges: data, meta };
};
