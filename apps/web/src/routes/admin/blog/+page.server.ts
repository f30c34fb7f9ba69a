import { listDrafts, listDraftTags } from '@cambist/contract/blog-writing';
import { readPostsQuery } from './posts-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = readPostsQuery(new URLSearchParams(url.search));
  const [posts, tags] = await Promise.all([
    locals.call(listDrafts, { query: { ...query, per_page: 30 } }),
    locals.call(listDraftTags),
  ]);
  // An old link may have a tag in another spelling: the list is that of the tag itself.
  const name = query.tag?.toLowerCase();
  const own = tags.data.find(({ tag }) => tag.toLowerCase() === name)?.tag;
  return { query: own === undefined ? query : { ...query, tag: own }, posts, tags: tags.data };
};
