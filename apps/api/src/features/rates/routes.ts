import * as quarantine from '@cambist/contract/rate-quarantine';
import * as contract from '@cambist/contract/rates';
import { DAY } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Feature } from '#platform/feature.ts';
import { testProvider } from './key-test.ts';
import { decide, listQuarantine } from './quarantine.ts';
import { deleteDecidedBefore } from './quarantine-store.ts';
import { listRuns, runNow } from './runs.ts';
import { HOURLY, overview, status } from './status.ts';
import { deleteRunsBefore } from './store.ts';
import { synchronise } from './sync.ts';
import { watch } from './watch.ts';

const STORED_DAYS = 90;

export const rates: Feature = {
  name: 'rates',
  routes({ admin }, deps) {
    admin.serve(contract.getRatesOverview, async () => ({ data: await overview(deps) }));
    admin.serve(contract.getRatesStatus, async () => ({ data: await status(deps) }));
    admin.serve(contract.startRateRun, async ({ actor, origin }) => ({
      data: await runNow(deps, { actor, origin }),
    }));
    admin.serve(contract.listRateRuns, ({ query }) => listRuns(deps.db, query));
    admin.serve(contract.testRateProvider, async ({ params, body, actor, origin }) => ({
      data: await testProvider(deps, { actor, origin }, { name: params.provider, given: body.key }),
    }));
    admin.serve(quarantine.listQuarantine, async () => ({ data: await listQuarantine(deps.db) }));
    admin.serve(quarantine.decideQuarantine, ({ params, body, actor, origin }) =>
      decide(deps, { actor, origin }, { ...params, ...body }),
    );
  },
  tasks: (deps) => [
    // A missed run is repeated, because rates go stale.
    { ...HOURLY, again: true, run: (_, signal, askedBy) => hourly(deps, signal, askedBy) },
    { name: 'rates-watch', cron: '*/10 * * * *', run: () => watch(deps) },
    {
      name: 'forget-rate-runs',
      cron: '50 3 * * *',
      async run() {
        const before = new Date(deps.clock().getTime() - STORED_DAYS * DAY);
        return transaction(deps.db, async (tx) => {
          await deleteDecidedBefore(tx, before);
          return `${await deleteRunsBefore(tx, before)} deleted`;
        });
      },
    },
  ],
};

/** Returns the task's detail. */
async function hourly(deps: Deps, signal: AbortSignal, askedBy: Id | null = null): Promise<string> {
  const trigger = askedBy === null ? 'schedule' : 'admin';
  const run = await synchronise(deps, { trigger, actorId: askedBy, signal });
  if (run === 'disabled') return 'Switched off in the settings.';
  if (run === 'in_progress') return 'Another run was in progress.';
  const { outcome, accepted, quarantined, rejected, missing } = run;
  return `${outcome}: ${accepted} accepted, ${quarantined} in quarantine, ${rejected} rejected, ${missing.length} missing`;
}
