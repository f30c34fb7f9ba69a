import { listDrafts } from '@cambist/contract/blog-writing';
import { readPostsQuery } from './posts-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = readPostsQuery(new URLSearchParams(url.search));
  return { query, posts: await locals.call(listDrafts, { query: { ...query, per_page: 30 } }) };
};
