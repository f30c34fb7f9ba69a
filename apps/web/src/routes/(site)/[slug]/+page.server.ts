/** A legal page; former addresses redirect. */
import { error } from '@sveltejs/kit';
import { getLegalPage, listLegalPages } from '@cambist/contract/legal-pages';
import { ApiError } from '#lib/api/client.ts';
import { redirectToSlug, slugIn } from '#lib/server/slug-redirect.ts';
import { siteSettings } from '#lib/server/site-settings.ts';
import { shownLegal } from './legal.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params, url }) => {
  const slug = slugIn(params.slug);
  const asked = new URLSearchParams(url.search).get('version');
  if (asked !== null && !/^[1-9]\d{0,8}$/.test(asked)) error(404);
  const query = asked === null ? {} : { version: Number(asked) };
  const [site, { data: page }, { data: others }] = await Promise.all([
    siteSettings(),
    locals.call(getLegalPage, { params: { slug }, query }).catch((refused: unknown) => {
      if (refused instanceof ApiError && refused.status === 404) error(404);
      throw refused;
    }),
    locals.call(listLegalPages),
  ]);
  redirectToSlug(params.slug, page.slug, `/${page.slug}`, url);
  return { legal: await shownLegal(page, { others, site, origin: url.origin }) };
};
