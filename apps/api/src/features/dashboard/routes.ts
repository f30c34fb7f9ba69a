import { getDashboard } from '@cambist/contract/dashboard';
import type { Feature } from '#platform/feature.ts';
import { readDashboard, rollUp } from './dashboard.ts';

export const dashboard: Feature = {
  name: 'dashboard',
  routes({ admin }, deps) {
    admin.serve(getDashboard, async ({ actor, query }) => ({
      data: await readDashboard(deps, actor, Number(query.days ?? '30')),
    }));
  },
  tasks: (deps) => [
    {
      name: 'roll-up-figures',
      cron: '*/5 * * * *',
      run: async (_now, signal) => `${await rollUp(deps, signal)} days`,
    },
  ],
};
