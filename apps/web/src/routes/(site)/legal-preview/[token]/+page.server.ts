/** A draft, for those who have its link; not cached and not indexed. */
import { getLegalPagePreview, listLegalPages } from '@cambist/contract/legal-pages';
import { found } from '#lib/server/found.ts';
import { siteSettings } from '#lib/server/site-settings.ts';
import { shownLegal } from '../../[slug]/legal.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params, url, setHeaders }) => {
  setHeaders({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
  const [site, { data: page }, { data: others }] = await Promise.all([
    siteSettings(),
    found(locals.call(getLegalPagePreview, { params })),
    locals.call(listLegalPages),
  ]);
  return { legal: await shownLegal(page, { others, site, origin: url.origin }) };
};
