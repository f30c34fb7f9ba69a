/** A draft, for those who have its link; not cached and not indexed. */
import { error } from '@sveltejs/kit';
import { getPostPreview } from '@cambist/contract/blog';
import { ApiError } from '#lib/api/client.ts';
import { siteSettings } from '#lib/server/site-settings.ts';
import { shownPost } from '../../post.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params, url, setHeaders }) => {
  setHeaders({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
  const [site, { data: post }] = await Promise.all([
    siteSettings(),
    locals.call(getPostPreview, { params }).catch((refused: unknown) => {
      if (refused instanceof ApiError && refused.status === 404) error(404);
      throw refused;
    }),
  ]);
  return { post: await shownPost(post, site, url.origin) };
};
