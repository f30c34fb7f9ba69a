import { listDeskExchanges } from '@cambist/contract/desk';
import { readSearch } from '#lib/console/list-query.ts';
import { readQueue, rowsPerPage } from './queue-name.ts';
import type { LayoutServerLoad } from './$types.js';

export const load: LayoutServerLoad = async ({ locals, url }) => {
  const queue = readQueue(url.searchParams.get('queue'));
  const search = readSearch(url.searchParams.get('search') ?? '');
  const first = await locals.call(listDeskExchanges, {
    query: { queue, per_page: rowsPerPage, ...(search ? { search } : {}) },
  });
  return { queue, search, first };
};
