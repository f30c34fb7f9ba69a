import { listPairs, listRoundTrips } from '@cambist/contract/pairs';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => {
  const [pairs, trips] = await Promise.all([locals.call(listPairs), locals.call(listRoundTrips)]);
  return { pairs: pairs.data, trips: trips.data };
};
