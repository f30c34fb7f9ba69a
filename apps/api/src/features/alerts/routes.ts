/** Rate alerts of customers, and reserve alerts of any address. */
import * as contract from '@cambist/contract/alerts';
import { RATES_CHANGED } from '#features/pairs/market-rates.ts';
import type { Feature } from '#platform/feature.ts';
import { checkRateAlerts, create, listOwn, remove } from './rate-alerts.ts';
import { ask, checkReserveAlerts, confirm, read } from './reserve-alerts.ts';

export const alerts: Feature = {
  name: 'alerts',
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
    ways.public.serve(contract.askReserveAlert, async ({ body }) => ({
      data: await ask(deps, body),
    }));
    ways.public.serve(contract.getReserveAlert, async ({ params }) => ({
      data: await read(deps, params.token),
    }));
    ways.public.serve(contract.confirmReserveAlert, ({ params }) => confirm(deps, params.token));
  },
  tasks: (deps) => [
    {
      // Rates change without a job when a pair opens or a currency is switched on.
      name: 'check-alerts',
      cron: '*/5 * * * *',
      run: async () => `${(await checkRateAlerts(deps)) + (await checkReserveAlerts(deps))} sent`,
    },
  ],
  jobs: (deps) => ({
    async [RATES_CHANGED]() {
      await checkRateAlerts(deps);
    },
  }),
};
