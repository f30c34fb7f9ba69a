import { listLegalPages } from '@cambist/contract/legal-pages';
import { converter } from '@cambist/contract/pairs';
import { getSettings } from '@cambist/contract/settings';
import { offeredProviders } from '#lib/server/providers.ts';
import { pagesToPreview } from '../custom-css/pages.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => {
  const { slug } = params;
  const [entry, currencies, legalPages, providers, pages] = await Promise.all([
    locals.call(getSettings, { params: { slug } }),
    slug === 'security' || slug === 'desk' ? locals.call(converter) : null,
    slug === 'general' ? locals.call(listLegalPages) : null,
    slug === 'sign-in-providers' ? offeredProviders(locals.call) : [],
    slug === 'custom-css' ? pagesToPreview(locals.call) : [],
  ]);
  return {
    entry: entry.data,
    /** The choices of a field that names a currency or a legal page. */
    records: [
      ...(currencies?.data.currencies ?? []).map(({ slug: value, unit, name, channel }) => ({
        value,
        label: `${unit}, ${name}, ${channel}`,
      })),
      ...(legalPages?.data ?? []).map(({ slug: value, title }) => ({
        value,
        label: `${title} (/${value})`,
      })),
    ],
    pages,
    offered: providers.map(({ provider }) => provider),
  };
};
