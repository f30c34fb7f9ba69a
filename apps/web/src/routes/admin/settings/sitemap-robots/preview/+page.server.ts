/** robots.txt and the site map as a draft would make them. The draft is kept nowhere. */
import { redirect } from '@sveltejs/kit';
import { wholeSiteMap } from '#lib/server/listed-pages.ts';
import { robotsText } from '#lib/server/site-map.ts';
import { checkedDraft } from '../../checked-draft.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const csr = false;

interface Texts {
  readonly robots: string;
  /** Null where there would be none. */
  readonly siteMap: string | null;
}

/** From the action to the page of the same request. */
const texts = new WeakMap<App.Locals, Texts>();

export const actions = {
  default: async ({ request, locals, url: { origin } }) => {
    const { call } = locals;
    const draft = await checkedDraft(call, 'sitemap-robots', await request.formData());
    const listed = draft.noindex ? [] : draft.listed;
    const siteMap = await wholeSiteMap({ call, origin, listed });
    texts.set(locals, { robots: robotsText(origin, draft), siteMap });
  },
} satisfies Actions;

export const load: PageServerLoad = ({ locals, setHeaders }) => {
  const made = texts.get(locals);
  if (made === undefined) redirect(303, '/admin/settings/sitemap-robots');
  setHeaders({ 'x-frame-options': 'SAMEORIGIN' });
  return made;
};
