/** All pairs, or those that match the query; a large desk shows its first ones. */
import { ratesShowcase } from '@cambist/contract/pairs';
import RateTable from '#lib/rates/RateTable.svelte';
import { drawnRates, findRates } from '#lib/rates/showcase.ts';
import { renderStatic } from '#lib/server/html/static-part.ts';
import type { PageServerLoad } from './$types.js';

const FIRST = 60;
const LONGEST_QUERY = 80;

export const load: PageServerLoad = async ({ locals, url, depends }) => {
  depends('rates:all');
  const query = (url.searchParams.get('q') ?? '').slice(0, LONGEST_QUERY);
  const { data } = await locals.call(ratesShowcase);
  const found = findRates(data, query);
  const shown = url.searchParams.has('all') ? found : found.slice(0, FIRST);
  return {
    query,
    count: data.length,
    found: found.length,
    shown: shown.length,
    table: await renderStatic(RateTable, { rates: drawnRates(shown) }),
  };
};
