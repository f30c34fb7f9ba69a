/** A post at its address; where it had another one before, the way to the present one. */
import { error, redirect } from '@sveltejs/kit';
import { getPost } from '@cambist/contract/blog';
import { ApiError } from '#lib/api.ts';
import { siteSettings } from '#lib/server/site-settings.ts';
import { postPath } from '../cards.ts';
import { shownPost } from '../post.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params, url }) => {
  // What is no slug can be no post: the API need not be asked.
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(params.slug)) error(404);
  const [site, { data: post }] = await Promise.all([
    siteSettings(),
    locals.call(getPost, { params }).catch((refused: unknown) => {
      if (refused instanceof ApiError && refused.status === 404) error(404);
      throw refused;
    }),
  ]);
  if (post.slug !== params.slug) redirect(301, postPath(post.slug));
  locals.headScripts = post.scripts;
  return { post: await shownPost(post, site, url.origin), runs: post.scripts.length > 0 };
};
