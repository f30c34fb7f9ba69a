import { getDraft, getRevision, listRevisions } from '@cambist/contract/blog-writing';
import { chosenRevision } from '#lib/console/revisions/chosen-revision.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params: { id }, url }) => {
  const number = chosenRevision(url);
  const [post, revisions, chosen] = await Promise.all([
    locals.call(getDraft, { params: { id } }),
    locals.call(listRevisions, { params: { id } }),
    number === null ? null : locals.call(getRevision, { params: { id, number } }),
  ]);
  return { post: post.data, revisions, chosen: chosen?.data ?? null };
};
