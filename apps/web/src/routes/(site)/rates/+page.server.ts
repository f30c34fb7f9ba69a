/** All pairs, or those that are looked for; a desk of hundreds shows its first ones. */
import { ratesShowcase } from '@cambist/contract/pairs';
import { drawnRates, findRates } from '#lib/rates/showcase.ts';
import type { PageServerLoad } from './$types.js';

const FIRST = 60;
const LONGEST_QUERY = 80;

export const load: PageServerLoad = async ({ locals, url, depends }) => {
  depends('rates:all');
  const query = (url.searchParams.get('q') ?? '').slice(0, LONGEST_QUERY);
  const { data } = await locals.call(ratesShowcase);
  const found = findRates(data, query);
  const shown = url.searchParams.has('all') ? found : found.slice(0, FIRST);
  return { query, count: data.length, found: found.length, rates: drawnRates(shown) };
};
