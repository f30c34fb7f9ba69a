import { listDrafts, listDraftTags, postStates } from '@cambist/contract/blog-writing';
import { readListQuery, readPage } from '#lib/browser/list-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const asked = new URLSearchParams(url.search);
  const tags = (await locals.call(listDraftTags)).data;
  // An old link may spell the tag differently.
  const wanted = (asked.get('tag') ?? '').slice(0, 40);
  const tag = tags.find((each) => each.tag.toLowerCase() === wanted.toLowerCase())?.tag ?? wanted;
  const page = readPage(asked.get('page'));
  const query = { ...readListQuery(postStates, url), ...(tag === '' ? {} : { tag }), page };
  return {
    query,
    tags,
    posts: await locals.call(listDrafts, { query: { ...query, per_page: 30 } }),
  };
};
