import { getCurrency } from '@cambist/contract/currencies';
import { listPendingChanges } from '@cambist/contract/pending-changes';
import { orElse } from '#lib/api/or-else.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params: { slug } }) => {
  const [currency, changes] = await Promise.all([
    locals.call(getCurrency, { params: { slug } }),
    orElse(locals.call(listPendingChanges), { data: [] }),
  ]);
  const waiting = changes.data.filter(
    ({ subject, kind }) => subject === slug && kind === 'payee_accounts',
  );
  return { currency: currency.data, waiting };
};
