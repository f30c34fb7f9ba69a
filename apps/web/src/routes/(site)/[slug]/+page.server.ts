/** A legal page; former addresses redirect. */
import { error } from '@sveltejs/kit';
import { getLegalPage, listLegalPages } from '@cambist/contract/legal-pages';
import { found } from '#lib/server/found.ts';
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
    found(locals.call(getLegalPage, { params: { slug }, query })),
    locals.call(listLegalPages),
  ]);
  redirectToSlug(params.slug, page.slug, `/${page.slug}`, url);
  return { legal: await shownLegal(page, { others, site, origin: url.origin }) };
};
