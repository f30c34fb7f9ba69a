import { listExchanges } from '@cambist/contract/exchanges';
import { datesCross } from '#lib/format/day.ts';
import { readHistoryQuery } from '#lib/exchange/history-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = readHistoryQuery(new URLSearchParams(url.search));
  // No request is needed: the page explains the dates.
  if (datesCross(query)) {
    return {
      query,
      crossed: true,
      exchanges: [],
      meta: { current_page: 1, last_page: 1, total: 0 },
    };
  }
  const { data, meta } = await locals.call(listExchanges, { query });
  return { query, crossed: false, exchanges: data, meta };
};
