/** The home page of settings that are not saved, as a guest sees it. Without script: nothing in it acts. */
import { redirect } from '@sveltejs/kit';
import type { HomePage } from '@cambist/contract/home-page';
import { linksOf, legalPages, siteSettings } from '#lib/server/site-settings.ts';
import { homeData } from '../../../../(site)/_home/home-data.ts';
import { checkedDraft } from '../../checked-draft.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const csr = false;

/** From the action to the page of the same request. */
const drafts = new WeakMap<App.Locals, HomePage>();

export const actions = {
  default: async ({ request, locals }) => {
    drafts.set(locals, await checkedDraft(locals.call, 'home-page', await request.formData()));
  },
} satisfies Actions;

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
  const home = drafts.get(locals);
  if (home === undefined) redirect(303, '/admin/settings/home-page');
  setHeaders({ 'x-frame-options': 'SAMEORIGIN', 'x-robots-tag': 'noindex' });
  const [saved, pages] = await Promise.all([siteSettings(), legalPages()]);
  const site = { ...saved, ...linksOf(home, pages) };
  const page = await homeData(locals.call, new URL('/', url.origin), { site, home });
  return { ...page, site, user: null };
};
