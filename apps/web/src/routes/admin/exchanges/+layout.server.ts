import { listDeskExchanges } from '@cambist/contract/desk';
import { listDeskViews } from '@cambist/contract/desk-views';
import { getSettings, type SettingValue } from '@cambist/contract/settings';
import { readSearch } from '#lib/browser/list-query.ts';
import { orElse } from '#lib/api/or-else.ts';
import { readFilters, readQueue, rowsPerPage } from './queue-name.ts';
import type { LayoutServerLoad } from './$types.js';

export const load: LayoutServerLoad = async ({ locals, url }) => {
  const queue = readQueue(url.searchParams.get('queue'));
  const search = readSearch(url.searchParams.get('search') ?? '');
  // The names are read one by one, so that nothing else of the address matters.
  const filters = readFilters(new URLSearchParams(url.search));
  const query = { queue, ...filters, ...(search ? { search } : {}) };
  const [first, saved, settings] = await Promise.all([
    locals.call(listDeskExchanges, { query: { ...query, per_page: rowsPerPage } }),
    orElse(locals.call(listDeskViews), { data: [], pairs: [], operators: [] }),
    orElse(locals.call(getSettings, { params: { slug: 'saved-reasons' } }), null),
  ]);
  const { reasons } = (settings?.data.value ?? { reasons: [] }) as SettingValue<'saved-reasons'>;
  return { queue, search, filters, first, saved, reasons };
};
