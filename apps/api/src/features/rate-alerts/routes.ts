import * as contract from '@cambist/contract/rate-alerts';
import { RATES_CHANGED } from '#features/pairs/market-rates.ts';
import type { Feature } from '#platform/feature.ts';
import { checkAlerts } from './check.ts';
import { create, listOwn, remove } from './rate-alerts.ts';

export const rateAlerts: Feature = {
  name: 'rate-alerts',
  routes(ways, deps) {
    ways.member.serve(contract.listRateAlerts, async ({ actor }) => ({
      data: await listOwn(deps, actor),
    }));
    ways.member.serve(contract.createRateAlert, async ({ actor, body }) => ({
      data: await create(deps, actor, body),
    }));
    ways.member.serve(contract.deleteRateAlert, ({ actor, params }) =>
      remove(deps, actor, params.id),
    );
  },
  // For changes without a new rate: a pair opens, a currency is switched on.
  tasks: (deps) => [
    {
      name: 'check-rate-alerts',
      cron: '*/5 * * * *',
      run: async () => `${await checkAlerts(deps)} sent`,
    },
  ],
  jobs: (deps) => ({
    async [RATES_CHANGED]() {
      await checkAlerts(deps);
    },
  }),
};
