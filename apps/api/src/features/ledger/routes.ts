import { listLedgerEntries, listReserves } from '@cambist/contract/reserves';
import { read } from '#features/content/settings/settings.ts';
import type { Feature } from '#platform/feature.ts';
import { watchLowReserves } from './low-reserves.ts';
import { entriesPage, reserves } from './ledger.ts';

export const ledger: Feature = {
  name: 'ledger',
  routes(ways, deps) {
    ways.admin.serve(listReserves, async () => ({
      data: await reserves(deps.db, await read(deps, 'desk')),
    }));
    ways.admin.serve(listLedgerEntries, ({ params, query }) =>
      entriesPage(deps.db, params.currency, query),
    );
  },
  tasks: (deps) => [
    {
      name: 'watch-low-reserves',
      cron: '*/5 * * * *',
      run: async () => `${await watchLowReserves(deps)} low`,
    },
  ],
};
