/**
 * The home page as a draft of its settings, or of those of search engines, would
 * make it. The draft is kept nowhere. Without script, since nothing in it acts.
 */
import { error, redirect } from '@sveltejs/kit';
import type { HomePage } from '@cambist/contract/home-page';
import type { LegalPages } from '@cambist/contract/legal-pages';
import type { PublicSetting } from '@cambist/contract/settings';
import {
  footOf,
  homeSettings,
  legalPages,
  siteSettings,
  type SiteSettings,
} from '#lib/server/site-settings.ts';
import { homeData } from '../../../../(site)/_home/home-data.ts';
import { checkedDraft } from '../../checked-draft.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const csr = false;

type Shaping = 'home-page' | 'seo';
const isShaping = (slug: string): slug is Shaping => slug === 'home-page' || slug === 'seo';

/** From the action to the page of the same request. */
const drafts = new WeakMap<App.Locals, PublicSetting<Shaping>>();

export const actions = {
  default: async ({ request, locals, params: { slug } }) => {
    if (!isShaping(slug)) error(404, 'Not Found');
    drafts.set(locals, await checkedDraft(locals.call, slug, await request.formData()));
  },
} satisfies Actions;

export const load: PageServerLoad = async ({ locals, params, url, setHeaders }) => {
  const { slug } = params;
  const draft = drafts.get(locals);
  if (!isShaping(slug)) error(404, 'Not Found');
  if (draft === undefined) redirect(303, `/admin/settings/${slug}`);
  setHeaders({ 'x-frame-options': 'SAMEORIGIN', 'x-robots-tag': 'noindex' });
  const [site, home, pages] = await Promise.all([siteSettings(), homeSettings(), legalPages()]);
  const shown = withDraft(slug, draft, { site, home }, pages);
  const page = await homeData(locals.call, new URL('/', url.origin), shown);
  // As a guest sees it.
  return { ...page, site: shown.site, user: null };
};

interface Shown {
  readonly site: SiteSettings;
  readonly home: HomePage;
}

function withDraft(
  slug: Shaping,
  draft: PublicSetting<Shaping>,
  { site, home }: Shown,
  pages: LegalPages,
): Shown {
  if (slug === 'seo') return { site: { ...site, seo: draft as PublicSetting<'seo'> }, home };
  const next = draft as HomePage;
  return { site: { ...site, ...footOf(next, pages) }, home: next };
}
