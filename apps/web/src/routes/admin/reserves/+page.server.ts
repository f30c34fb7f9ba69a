import { listReserves, reconcile } from '@cambist/contract/reserves';
import { ApiError } from '#lib/api/client.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => {
  const [reserves, reconciliation] = await Promise.all([
    locals.call(listReserves),
    // A comparison that takes too long must not keep the reserves from being seen.
    locals.call(reconcile).catch((error: unknown) => {
      if (error instanceof ApiError) return null;
      throw error;
    }),
  ]);
  return { reserves: reserves.data, reconciliation: reconciliation?.data ?? null };
};
