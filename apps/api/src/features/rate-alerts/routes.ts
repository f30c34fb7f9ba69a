import * as contract from '@cambist/contract/rate-alerts';
import { RATES_CHANGED } from '#features/pairs/pairs.ts';
import type { Feature } from '#platform/feature.ts';
import { checkAlerts } from './check.ts';
import { create, linkedAlert, listOwn, remove, stop } from './rate-alerts.ts';
import { stopPage } from './stop-link.ts';

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
    ways.public.serve(contract.getAlertLink, async ({ params }) => ({
      data: await linkedAlert(deps, params.token),
    }));
    ways.public.serve(contract.stopRateAlert, ({ params }) => stop(deps, params.token));
    ways.public.serve(contract.openAlertLink, async ({ params, reply }) =>
      reply.redirect(stopPage(deps.config.frontendUrl, params.token)),
    );
  },
  // For changes without a new rate: a pair opens, a currency is switched on, a day passes.
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
