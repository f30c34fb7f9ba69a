/** A draft, for those who have its link; not cached and not indexed. */
import { getPostPreview } from '@cambist/contract/blog';
import { found } from '#lib/server/found.ts';
import { siteSettings } from '#lib/server/site-settings.ts';
import { shownPost } from '../../post.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params, url, setHeaders }) => {
  setHeaders({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
  const [site, { data: post }] = await Promise.all([
    siteSettings(),
    found(locals.call(getPostPreview, { params })),
  ]);
  return { post: await shownPost(post, site, url.origin) };
};
