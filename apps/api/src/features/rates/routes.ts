/**
 * Ways in to the synchronisation of rates: what admins see of it and decide,
 * and the hourly task. Keys have no way out; they are written with the settings.
 */
import * as quarantine from '@cambist/contract/rate-quarantine';
import * as contract from '@cambist/contract/rates';
import { getRatesStanding } from '@cambist/contract/rates-standing';
import { DAY } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { transaction } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Feature } from '#platform/feature.ts';
import { testProvider } from './key-test.ts';
import { overview, standing } from './overview.ts';
import { decide, refuseAll, takeBackRefusal } from './decisions.ts';
import { listQuarantine } from './quarantine.ts';
import { deleteDecidedBefore } from './quarantine-store.ts';
import { HOURLY, listRuns, runNow } from './runs.ts';
import { deleteRunsBefore } from './store.ts';
import { synchronise } from './synchronise.ts';
import { watch } from './watch.ts';

/** Long enough to see how a provider has behaved; the rates themselves are kept with the pairs. */
const KEPT_DAYS = 90;

export const rates: Feature = {
  name: 'rates',
  routes({ admin }, deps) {
    admin.serve(contract.getRatesOverview, async () => ({ data: await overview(deps) }));
    admin.serve(getRatesStanding, async () => ({ data: await standing(deps) }));
    admin.serve(contract.startRateRun, async ({ actor, origin }) => ({
      data: await runNow(deps, actor, origin),
    }));
    admin.serve(contract.listRateRuns, ({ query }) => listRuns(deps.db, query));
    admin.serve(contract.testRateProvider, async ({ params, body, actor, origin }) => ({
      data: await testProvider(deps, actor, origin, { name: params.provider, given: body.key }),
    }));
    admin.serve(quarantine.listQuarantine, async () => ({ data: await listQuarantine(deps) }));
    admin.serve(quarantine.decideQuarantine, async ({ params, body, actor, origin }) => ({
      data: await decide(deps, actor, origin, { ...params, ...body }),
    }));
    admin.serve(quarantine.refuseAllQuarantined, async ({ body, actor, origin }) => ({
      data: await refuseAll(deps, actor, origin, body.rates),
    }));
    admin.serve(quarantine.takeBackRefusal, async ({ params, actor, origin }) => ({
      data: await takeBackRefusal(deps, actor, origin, params.id),
    }));
  },
  tasks: (deps) => [
    // An hour without rates is an hour in which they grow old: a lost run is made up for.
    { ...HOURLY, again: true, run: (_, signal, askedBy) => hourly(deps, signal, askedBy) },
    { name: 'rates-watch', cron: '*/10 * * * *', run: () => watch(deps) },
    {
      name: 'forget-rate-runs',
      cron: '50 3 * * *',
      async run() {
        const before = new Date(deps.clock().getTime() - KEPT_DAYS * DAY);
        return transaction(deps.db, async (tx) => {
          await deleteDecidedBefore(tx, before);
          return `${await deleteRunsBefore(tx, before)} forgotten`;
        });
      },
    },
  ],
};

/** The task's detail: what the run came to. */
async function hourly(deps: Deps, signal: AbortSignal, askedBy: Id | null = null): Promise<string> {
  const trigger = askedBy === null ? 'schedule' : 'admin';
  const run = await synchronise(deps, { trigger, actorId: askedBy, signal });
  if (run === 'disabled') return 'Switched off in the settings.';
  if (run === 'in_progress') return 'Another run was in progress.';
  const { outcome, accepted, quarantined, refused, missing } = run;
  return `${outcome}: ${accepted} accepted, ${quarantined} in quarantine, ${refused} refused, ${missing.length} missing`;
}
