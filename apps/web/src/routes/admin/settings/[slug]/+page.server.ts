import { converter } from '@cambist/contract/pairs';
import { getSettings } from '@cambist/contract/settings';
import { offeredProviders } from '#lib/server/providers.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => {
  const { slug } = params;
  const [entry, currencies, providers] = await Promise.all([
    locals.call(getSettings, { params: { slug } }),
    slug === 'security' ? locals.call(converter) : null,
    slug === 'sign-in-providers' ? offeredProviders(locals.call) : [],
  ]);
  return {
    entry: entry.data,
    currencies: (currencies?.data.currencies ?? []).map(({ slug: value, unit, name, channel }) => ({
      value,
      label: `${unit}, ${name}, ${channel}`,
    })),
    offered: providers.map(({ provider }) => provider),
  };
};
