import { getCurrency, listCurrencies } from '@cambist/contract/currencies';
import type { Feature } from '#platform/feature.ts';
import { get, list } from './currencies.ts';

export const currencies: Feature = {
  name: 'currencies',
  routes({ admin }, deps) {
    admin.serve(listCurrencies, async () => ({ data: await list(deps.db) }));
    admin.serve(getCurrency, async ({ params }) => ({ data: await get(deps.db, params.slug) }));
  },
};
