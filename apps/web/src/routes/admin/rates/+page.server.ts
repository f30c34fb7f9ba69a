import { listQuarantine } from '@cambist/contract/rate-quarantine';
import { getRatesOverview, listRateRuns } from '@cambist/contract/rates';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => {
  const [overview, quarantine, runs] = await Promise.all([
    locals.call(getRatesOverview),
    locals.call(listQuarantine),
    locals.call(listRateRuns, { query: { per_page: 10 } }),
  ]);
  return { overview: overview.data, quarantine: quarantine.data, runs };
};
