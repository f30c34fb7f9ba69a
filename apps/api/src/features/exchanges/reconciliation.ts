/**
 * Reconciliation of the ledger with itself and with the exchanges, every ten minutes. Approvals and
 * completions require a recent balanced one.
 */
import type { Reconciliation } from '@cambist/contract/reserves';
import { Refusal } from '#kernel/refusal.ts';
import type { Db } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { runInBackground } from '#platform/http/request-context.ts';
import type { Task } from '#platform/jobs/scheduler.ts';
import { reconcile } from '#features/ledger/ledger.ts';
import type { Locked } from './actions/transition.ts';
import * as store from './store/reconciliation.ts';

const KEEP_DAYS = 90;

type ReconcileDeps = Pick<Deps, 'db' | 'log'>;

/** The newest record decides about approvals in every process; a failure to record is only logged. */
export async function reconcileNow(deps: ReconcileDeps): Promise<Reconciliation> {
  const found = await reconcile(deps.db, {
    openHolds: store.listOpenHolds,
    misposted: store.listMisposted,
  });
  await store
    .insertReconciliation(deps.db, found)
    .catch((error: unknown) =>
      deps.log.error({ err: error }, 'A reconciliation was not recorded.'),
    );
  if (!found.balanced) {
    deps.log.error({ differences: found.differences }, 'The ledger is unbalanced: approvals stop.');
  }
  return found;
}

const running = new WeakMap<Db, Promise<unknown>>();

/**
 * An action that needs a recent reconciliation. Where there is none, such as with a stopped scheduler, the
 * action is refused, the ledger is reconciled and the action runs again. Callers share one reconciliation,
 * outside their transactions, so that it holds no locks meanwhile.
 */
export async function onceReconciled<T>(deps: ReconcileDeps, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error !== notReconciled) throw error;
  }
  let reconciliation = running.get(deps.db);
  if (reconciliation === undefined) {
    // In the background, so that it is recorded even if the request times out.
    reconciliation = runInBackground(() => reconcileNow(deps)).finally(() =>
      running.delete(deps.db),
    );
    running.set(deps.db, reconciliation);
  }
  await reconciliation;
  return act();
}

/** @throws Refusal 503 `ledger_unbalanced`, also without a recent reconciliation */
export function requireBalancedLedger(locked: Pick<Locked, 'ledger'>): void {
  refuseUnbalancedLedger(locked);
  if (locked.ledger !== 'balanced') throw notReconciled;
}

/** For a claim before a completion. @throws Refusal 503 `ledger_unbalanced` */
export function refuseUnbalancedLedger({ ledger }: Pick<Locked, 'ledger'>): void {
  if (ledger === 'unbalanced') throw unbalanced('The ledger is unbalanced');
}

const notReconciled = unbalanced('The ledger was not reconciled recently');

function unbalanced(reason: string): Refusal {
  const sentence = `${reason}, so nothing is approved or completed until that is resolved.`;
  return new Refusal(503, 'ledger_unbalanced', sentence, { retryAfterSeconds: 60 });
}

export function reconciliationTask(deps: ReconcileDeps): Task {
  return {
    name: 'reconcile-ledger',
    cron: '*/10 * * * *',
    async run() {
      const found = await reconcileNow(deps);
      await store.deleteOld(deps.db, KEEP_DAYS);
      if (found.balanced) return 'balanced';
      throw new Error(`${found.differences.length} differences in the ledger.`);
    },
  };
}
