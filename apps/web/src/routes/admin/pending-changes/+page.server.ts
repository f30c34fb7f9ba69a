import { listCurrencies } from '@cambist/contract/currencies';
import { listPendingChanges } from '@cambist/contract/pending-changes';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => {
  const [changes, currencies] = await Promise.all([
    locals.call(listPendingChanges),
    locals.call(listCurrencies),
  ]);
  return { changes: changes.data, currencies: currencies.data };
};
