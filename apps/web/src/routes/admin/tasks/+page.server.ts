import { listPolicyReports } from '@cambist/contract/policy-reports';
import { listTasks } from '@cambist/contract/tasks';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => {
  const [tasks, reports] = await Promise.all([
    locals.call(listTasks),
    locals.call(listPolicyReports),
  ]);
  return { tasks: tasks.data, reports: reports.data };
};
