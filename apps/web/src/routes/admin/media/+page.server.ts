import { listMedia } from '@cambist/contract/media';
import { readSearch } from '#lib/browser/list-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const q = readSearch(url.searchParams.get('q') ?? '');
  return { q, pictures: await locals.call(listMedia, { query: q === '' ? {} : { q } }) };
};
