/** What browsers report of the site's Content-Security-Policy, written to the log. */
import { reportPolicy } from '@cambist/contract/policy-reports';
import type { Feature } from '#platform/feature.ts';

export const policyReports: Feature = {
  name: 'policy-reports',
  routes(ways) {
    ways.public.serve(reportPolicy, async ({ body, request }) => {
      request.log.warn({ policy_reports: body.reports }, 'The policy of a page was violated.');
    });
  },
};
