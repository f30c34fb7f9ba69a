/**
 * Ways in to the rate alerts: a customer's own, the link that stops one, and the
 * check, asked for by whatever moves a rate. The task makes up for what moves
 * none: a pair that opens, a currency that is switched on, a day that has passed.
 */
import * as contract from '@cambist/contract/rate-alerts';
import { RATES_MOVED } from '#features/pairs/pairs.ts';
import type { Feature } from '#platform/feature.ts';
import { checkAlerts } from './check.ts';
import { create, listOwn, remove, sightOf, stop } from './rate-alerts.ts';
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
      data: await sightOf(deps, params.token),
    }));
    ways.public.serve(contract.stopRateAlert, ({ params }) => stop(deps, params.token));
    ways.public.serve(contract.openAlertLink, async ({ params, reply }) =>
      reply.redirect(stopPage(deps.config.frontendUrl, params.token)),
    );
  },
  tasks: (deps) => [
    {
      name: 'check-rate-alerts',
      cron: '*/5 * * * *',
      run: async () => `${await checkAlerts(deps)} told`,
    },
  ],
  jobs: (deps) => ({
    async [RATES_MOVED]() {
      await checkAlerts(deps);
    },
  }),
};
