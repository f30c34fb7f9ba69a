/** A post; former addresses redirect. */
import { error } from '@sveltejs/kit';
import { getPost } from '@cambist/contract/blog';
import { ApiError } from '#lib/api/client.ts';
import { redirectToSlug, slugIn } from '#lib/server/slug-redirect.ts';
import { siteSettings } from '#lib/server/site-settings.ts';
import { postPath } from '../cards.ts';
import { shownPost } from '../post.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params, url }) => {
  const slug = slugIn(params.slug);
  const [site, { data: post }] = await Promise.all([
    siteSettings(),
    locals.call(getPost, { params: { slug } }).catch((refused: unknown) => {
      if (refused instanceof ApiError && refused.status === 404) error(404);
      throw refused;
    }),
  ]);
  redirectToSlug(params.slug, post.slug, postPath(post.slug), url);
  return { post: await shownPost(post, site, url.origin) };
};
