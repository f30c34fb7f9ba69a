import * as contract from '@cambist/contract/reserve-alerts';
import type { Feature } from '#platform/feature.ts';
import { ask, checkAlerts, confirm, read } from './reserve-alerts.ts';
import { deleteEnded } from './store.ts';

export const reserveAlerts: Feature = {
  name: 'reserve-alerts',
  routes(ways, deps) {
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
      name: 'check-reserve-alerts',
      cron: '*/5 * * * *',
      async run(now) {
        await deleteEnded(deps.db, now);
        return `${await checkAlerts(deps)} sent`;
      },
    },
  ],
};
