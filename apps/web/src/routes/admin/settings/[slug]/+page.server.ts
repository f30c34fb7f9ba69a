import { getLegalPage, listLegalPages } from '@cambist/contract/legal-pages';
import { converter } from '@cambist/contract/pairs';
import { getSettings } from '@cambist/contract/settings';
import { ApiError } from '#lib/api.ts';
import { offeredProviders } from '#lib/server/providers.ts';
import { dressedPages } from '../custom-css/dressed-pages.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => {
  const { slug } = params;
  const [entry, currencies, legalPages, providers, pages] = await Promise.all([
    locals.call(getSettings, { params: { slug } }),
    slug === 'security' ? locals.call(converter) : null,
    slug === 'general' ? locals.call(listLegalPages) : null,
    slug === 'sign-in-providers' ? offeredProviders(locals.call) : [],
    slug === 'custom-css' ? dressedPages(locals.call) : [],
  ]);
  // A page that has moved is on the site at its former address too.
  const former = (entry.data.slug === 'general' ? [...namedPages(entry.data.value)] : []).filter(
    (named) => !legalPages?.data.some((legalPage) => legalPage.slug === named),
  );
  const moved = await Promise.all(former.map((named) => findMoved(locals.call, named)));
  return {
    entry: entry.data,
    /** What a field can be chosen from that names a record: a currency, or a legal page. */
    records: [
      ...(currencies?.data.currencies ?? []).map(({ slug: value, unit, name, channel }) => ({
        value,
        label: `${unit}, ${name}, ${channel}`,
      })),
      ...(legalPages?.data ?? []).map(({ slug: value, title }) => ({
        value,
        label: `${title} (/${value})`,
      })),
      ...moved.flat(),
    ],
    pages,
    offered: providers.map(({ provider }) => provider),
  };
};

function namedPages({ terms_slug, privacy_slug }: Record<string, unknown>): Set<string> {
  return new Set([String(terms_slug), String(privacy_slug)]);
}

async function findMoved(call: App.Locals['call'], slug: string) {
  try {
    const { data } = await call(getLegalPage, { params: { slug } });
    return [{ value: slug, label: `${data.title} (/${data.slug})` }];
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}
