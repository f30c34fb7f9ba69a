import { listDrafts, listDraftTags } from '@cambist/contract/blog-writing';
import { readPostsQuery } from './posts-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = readPostsQuery(new URLSearchParams(url.search));
  const [posts, tags] = await Promise.all([
    locals.call(listDrafts, { query: { ...query, per_page: 30 } }),
    locals.call(listDraftTags),
  ]);
  return { query, posts, tags: tags.data };
};
