import { listFeatureReports, reportStates } from '@cambist/contract/feature-reports';
import { readListQuery } from '#lib/browser/list-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = { ...readListQuery(reportStates, url), per_page: 50 };
  return { query, reports: await locals.call(listFeatureReports, { query }) };
};
