import { listPendingChanges } from '@cambist/contract/pending-changes';
import { listReserves, reconcile } from '@cambist/contract/reserves';
import { orElse } from '#lib/api/or-else.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => {
  const [reserves, reconciliation, changes] = await Promise.all([
    locals.call(listReserves),
    // A comparison that takes too long must not keep the reserves from being seen.
    orElse(locals.call(reconcile), null),
    orElse(locals.call(listPendingChanges), { data: [] }),
  ]);
  const waiting = changes.data.filter(({ kind }) => kind === 'adjustment');
  return { reserves: reserves.data, reconciliation: reconciliation?.data ?? null, waiting };
};
