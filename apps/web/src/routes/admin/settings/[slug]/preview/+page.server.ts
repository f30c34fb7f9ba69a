/**
 * The public page as a draft of settings would make it. The draft comes with the
 * request and goes with the answer: it is checked by the service, which also asks
 * for the permission, and kept nowhere. Without script, since nothing in it acts.
 */
import { error, redirect } from '@sveltejs/kit';
import type { HomePage } from '@cambist/contract/home-page';
import type { PublicSetting } from '@cambist/contract/settings';
import { checkSettings } from '@cambist/contract/settings-history';
import { ApiError } from '#lib/api.ts';
import {
  footOf,
  homeSettings,
  siteSettings,
  type SiteSettings,
} from '#lib/server/site-settings.ts';
import { homeData } from '../../../../(site)/_home/home-data.ts';
import { isPreviewed, type Previewed } from '../../previewed.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const csr = false;

/** From the action to the page of the same request. */
const drafts = new WeakMap<App.Locals, Record<string, unknown>>();

export const actions = {
  default: async ({ request, locals, params }) => {
    const { slug } = params;
    if (!isPreviewed(slug)) error(404, 'Not Found');
    const value = read((await request.formData()).get('draft'));
    try {
      drafts.set(locals, (await locals.call(checkSettings, { params, body: { value } })).data);
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status < 400) throw failure;
      error(failure.status, failure.message);
    }
  },
} satisfies Actions;

export const load: PageServerLoad = async ({ locals, params, url, setHeaders }) => {
  const { slug } = params;
  const draft = drafts.get(locals);
  if (!isPreviewed(slug)) error(404, 'Not Found');
  if (draft === undefined) redirect(303, `/admin/settings/${slug}`);
  setHeaders({ 'x-frame-options': 'SAMEORIGIN', 'x-robots-tag': 'noindex' });
  const [site, home] = await Promise.all([siteSettings(), homeSettings()]);
  const shown = withDraft(slug, draft, { site, home });
  const page = await homeData(locals.call, new URL('/', url.origin), shown);
  // As a guest sees it.
  return { ...page, site: shown.site, user: null };
};

interface Shown {
  readonly site: SiteSettings;
  readonly home: HomePage;
}

/** The service checked the draft against the schema of its slug. */
function withDraft(slug: Previewed, draft: object, { site, home }: Shown): Shown {
  if (slug === 'seo') return { site: { ...site, seo: draft as PublicSetting<'seo'> }, home };
  const next = draft as HomePage;
  return { site: { ...site, ...footOf(next) }, home: next };
}

function read(draft: FormDataEntryValue | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(String(draft));
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // What is no JSON is no draft.
  }
  error(400, 'Bad Request');
}
