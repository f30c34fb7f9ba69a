/**
 * Reconciliation: the ledger compared with itself and with the exchanges, every
 * ten minutes. Nothing is approved or completed unless a recent comparison found
 * everything right: a desk that does not know what it has must not pay out.
 */
import type { Reconciliation } from '@cambist/contract/reserves';
import { Refusal } from '#kernel/refusal.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { runInBackground } from '#platform/http/request-context.ts';
import type { Task } from '#platform/jobs/scheduler.ts';
import { reconcile } from '#features/ledger/ledger.ts';
import * as store from './store/reconciliation.ts';

const KEEP_DAYS = 90;

type ReconcileDeps = Pick<Deps, 'db' | 'log'>;

function compare({ db }: Pick<Deps, 'db'>): Promise<Reconciliation> {
  return reconcile(db, { openHolds: store.listOpenHolds, misposted: store.listMisposted });
}

/**
 * Compares now and records the outcome, whoever asked: the newest one decides about approvals in
 * every process. Where nothing can be written it is answered all the same.
 */
export async function compareAndRecord(deps: ReconcileDeps): Promise<Reconciliation> {
  const found = await compare(deps);
  await store
    .insertReconciliation(deps.db, found)
    .catch((error: unknown) => deps.log.error({ err: error }, 'A comparison was not recorded.'));
  if (!found.balanced) {
    deps.log.error({ differences: found.differences }, 'The ledger is unbalanced: approvals stop.');
  }
  return found;
}

const comparing = new WeakMap<Db, Promise<unknown>>();

/**
 * Compares where that was not done lately, since the scheduler stands still or the records are
 * gone; all who ask wait for the same comparison. Before the transaction of an approval, which must
 * not wait for it with locks.
 */
export async function compareIfDue(deps: ReconcileDeps): Promise<void> {
  if ((await store.lastOutcome(deps.db)) !== 'unknown') return;
  let comparison = comparing.get(deps.db);
  if (comparison === undefined) {
    // Recorded also where the request that waits for it times out: the next one finds it done.
    comparison = runInBackground(() => compareAndRecord(deps)).finally(() =>
      comparing.delete(deps.db),
    );
    comparing.set(deps.db, comparison);
  }
  await comparison;
}

/** @throws Refusal 503 `ledger_unbalanced`, also where no recent comparison is recorded */
export async function requireBalancedLedger(tx: Tx): Promise<void> {
  const outcome = await store.lastOutcome(tx);
  if (outcome === 'unbalanced') throw unbalanced('The ledger does not agree with itself');
  if (outcome === 'unknown') throw unbalanced('The ledger was not compared lately');
}

/** For what only leads to a completion. @throws Refusal 503 `ledger_unbalanced` */
export async function refuseUnbalancedLedger(tx: Tx): Promise<void> {
  if ((await store.lastOutcome(tx)) === 'unbalanced')
    throw unbalanced('The ledger does not agree with itself');
}

function unbalanced(found: string): Refusal {
  const sentence = `${found}, so nothing is approved or completed until that is resolved.`;
  return new Refusal(503, 'ledger_unbalanced', sentence, { retryAfterSeconds: 60 });
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
