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
      meta: { current_page: 1, last_page: 1, total: 0, next_cursor: null },
    };
  }
  const { data, meta } = await locals.call(listExchanges, { query });
  // The total ends at 10,000, the list does not.
  const reached = meta.current_page + (meta.next_cursor === null ? 0 : 1);
  const last_page = Math.max(meta.last_page, reached);
  return { query, crossed: false, exchanges: data, meta: { ...meta, last_page } };
};
