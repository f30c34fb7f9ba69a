import {
  createCurrency,
  getCurrency,
  listCurrencies,
  updateCurrency,
} from '@cambist/contract/currencies';
import type { Feature } from '#platform/feature.ts';
import { onceNamed } from '#platform/http/idempotency.ts';
import { create, get, list, update } from './currencies.ts';

export const currencies: Feature = {
  name: 'currencies',
  routes({ admin }, deps) {
    admin.serve(listCurrencies, async () => ({ data: await list(deps.db) }));
    admin.serve(getCurrency, async ({ params }) => ({ data: await get(deps.db, params.slug) }));
    admin.serve(createCurrency, (ask) =>
      onceNamed(
        deps,
        createCurrency,
        ask,
        async (once) => (await create(once, ask.actor, ask.origin, ask.body)).slug,
        async (slug) => ({ data: await get(deps.db, slug) }),
      ),
    );
    admin.serve(updateCurrency, async ({ params, body, actor, origin }) => ({
      data: await update(deps, actor, origin, params.slug, body),
    }));
  },
};
