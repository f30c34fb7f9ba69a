/**
 * Reconciliation: the ledger compared with itself and with the open exchanges,
 * every ten minutes. While the last comparison failed nothing is approved or
 * completed: a desk that does not know what it has must not pay out.
 */
import type { Reconciliation } from '@cambist/contract/reserves';
import { DAY } from '#kernel/clock.ts';
import type { Deps } from '#platform/deps.ts';
import type { Task } from '#platform/scheduler.ts';
import { reconcile } from '#features/ledger/ledger.ts';
import * as store from './reconciliation-store.ts';

const KEEP_MS = 90 * DAY;

/** Compares now and changes nothing: a read that an admin asks for. */
export function compare({ db }: Pick<Deps, 'db'>): Promise<Reconciliation> {
  return reconcile(db, store.listOpenHolds);
}

export function reconciliationTask(deps: Pick<Deps, 'db' | 'log'>): Task {
  return {
    name: 'reconcile-ledger',
    cron: '*/10 * * * *',
    async run(now) {
      const found = await compare(deps);
      await store.insertReconciliation(deps.db, found);
      await store.deleteOlder(deps.db, new Date(now.getTime() - KEEP_MS));
      if (found.balanced) return 'balanced';
      deps.log.error(
        { differences: found.differences },
        'The ledger is unbalanced: approvals stop.',
      );
      throw new Error(`${found.differences.length} differences in the ledger.`);
    },
  };
}
