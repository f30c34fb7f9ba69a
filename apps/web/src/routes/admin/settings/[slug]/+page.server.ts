import { converter } from '@cambist/contract/pairs';
import { getSettings } from '@cambist/contract/settings';
import { offeredProviders } from '#lib/server/providers.ts';
import { dressedPages } from '../custom-css/dressed-pages.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => {
  const { slug } = params;
  const [entry, currencies, providers, pages] = await Promise.all([
    locals.call(getSettings, { params: { slug } }),
    slug === 'security' ? locals.call(converter) : null,
    slug === 'sign-in-providers' ? offeredProviders(locals.call) : [],
    slug === 'custom-css' ? dressedPages(locals.call) : [],
  ]);
  return {
    entry: entry.data,
    currencies: (currencies?.data.currencies ?? []).map(({ slug: value, unit, name, channel }) => ({
      value,
      label: `${unit}, ${name}, ${channel}`,
    })),
    pages,
    offered: providers.map(({ provider }) => provider),
  };
};
