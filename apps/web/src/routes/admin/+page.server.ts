import { listPairs } from '@cambist/contract/pairs';
import { reconcile } from '@cambist/contract/reserves';
import { ApiError } from '#lib/api.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => {
  const [pairs, reconciliation] = await Promise.all([
    locals.call(listPairs),
    locals.call(reconcile).catch((error: unknown) => {
      if (error instanceof ApiError) return null;
      throw error;
    }),
  ]);
  return {
    unpriced: pairs.data.filter(({ active, rate }) => active && rate === null).length,
    live: pairs.data.filter(({ active, rate }) => active && rate !== null).length,
    reconciliation: reconciliation?.data ?? null,
  };
};
