import { listFeatureReports, reportStates } from '@cambist/contract/feature-reports';
import { readStateQuery } from '#lib/console/state-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const read = readStateQuery(reportStates, new URLSearchParams(url.search));
  const query = { ...read, per_page: 50 };
  return { query, reports: await locals.call(listFeatureReports, { query }) };
};
