/** What browsers report of the site's policy: counted for admins, logged for operators, forgotten in time. */
import { listPolicyReports, reportPolicy } from '@cambist/contract/policy-reports';
import { DAY } from '#kernel/clock.ts';
import type { Feature } from '#platform/feature.ts';
import { countReport, deleteReportsBefore, listReports } from './store.ts';

const KEPT_DAYS = 30;
/** Anybody can send a report; no more kinds are kept than somebody would read. */
const MOST = { kinds: 200, pages: 20 };

export const policyReports: Feature = {
  name: 'policy-reports',
  routes(ways, deps) {
    ways.public.serve(reportPolicy, async ({ body, request }) => {
      const kinds = new Map(body.reports.map((report) => [JSON.stringify(report), report]));
      request.log.warn({ policy_reports: [...kinds.values()] }, 'A page met its policy.');
      for (const report of kinds.values()) {
        await countReport(deps.db, report, deps.clock(), MOST);
      }
    });
    ways.admin.serve(listPolicyReports, async () => ({
      data: (await listReports(deps.db)).map(({ first_at, last_at, ...report }) => ({
        ...report,
        first_at: first_at.toISOString(),
        last_at: last_at.toISOString(),
      })),
    }));
  },
  tasks: (deps) => [
    {
      name: 'forget-policy-reports',
      cron: '40 4 * * *',
      async run() {
        const before = new Date(deps.clock().getTime() - KEPT_DAYS * DAY);
        return `${await deleteReportsBefore(deps.db, before)} forgotten`;
      },
    },
  ],
};
