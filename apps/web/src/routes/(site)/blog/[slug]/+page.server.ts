/** A post; former addresses redirect. */
import { getPost } from '@cambist/contract/blog';
import { found } from '#lib/server/found.ts';
import { redirectToSlug, slugIn } from '#lib/server/slug-redirect.ts';
import { siteSettings } from '#lib/server/site-settings.ts';
import { postPath } from '../cards.ts';
import { shownPost } from '../post.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params, url }) => {
  const slug = slugIn(params.slug);
  const [site, { data: post }] = await Promise.all([
    siteSettings(),
    found(locals.call(getPost, { params: { slug } })),
  ]);
  redirectToSlug(params.slug, post.slug, postPath(post.slug), url);
  return { post: await shownPost(post, site, url.origin) };
};
