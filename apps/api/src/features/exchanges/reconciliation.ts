/**
 * Reconciliation: the ledger compared with itself and with the exchanges, every
 * ten minutes. Nothing is approved or completed unless a recent comparison found
 * everything right: a desk that does not know what it has must not pay out.
 */
import type { Reconciliation } from '@cambist/contract/reserves';
import { Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { runInBackground } from '#platform/request-context.ts';
import type { Task } from '#platform/scheduler.ts';
import { reconcile } from '#features/ledger/ledger.ts';
import * as store from './reconciliation-store.ts';

const KEEP_DAYS = 90;

type ReconcileDeps = Pick<Deps, 'db' | 'log'>;

/** Compares now and changes nothing: a read that an admin asks for. */
export function compare({ db }: Pick<Deps, 'db'>): Promise<Reconciliation> {
  return reconcile(db, { openHolds: store.listOpenHolds, misposted: store.listMisposted });
}

/** Compares now and records the outcome, which decides about approvals in every process. */
export async function compareAndRecord(deps: ReconcileDeps): Promise<Reconciliation> {
  const found = await compare(deps);
  await store.insertReconciliation(deps.db, found);
  if (!found.balanced) {
    deps.log.error({ differences: found.differences }, 'The ledger is unbalanced: approvals stop.');
  }
  return found;
}

/**
 * Compares where that was not done lately, since the scheduler stands still or the records are
 * gone. Before the transaction of an approval, which must not wait for it with locks.
 */
export async function compareIfDue(deps: ReconcileDeps): Promise<void> {
  if ((await store.lastOutcome(deps.db)) !== 'unknown') return;
  // Recorded also where the request that waits for it has timed out: the next one finds it done.
  await runInBackground(() => compareAndRecord(deps));
}

/** @throws Refusal 503 `ledger_unbalanced`, also where no recent comparison is recorded */
export async function requireBalancedLedger(tx: Tx): Promise<void> {
  if ((await store.lastOutcome(tx)) === 'balanced') return;
  throw new Refusal(
    503,
    'ledger_unbalanced',
    'The ledger does not agree with itself, so nothing is approved or completed until that is resolved.',
    { retryAfterSeconds: 60 },
  );
}

export function reconciliationTask(deps: ReconcileDeps): Task {
  return {
    name: 'reconcile-ledger',
    cron: '*/10 * * * *',
    async run() {
      const found = await compareAndRecord(deps);
      await store.deleteOld(deps.db, KEEP_DAYS);
      if (found.balanced) return 'balanced';
      throw new Error(`${found.differences.length} differences in the ledger.`);
    },
  };
}
