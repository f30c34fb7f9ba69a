/**
 * Reconciliation of the ledger with itself and with the exchanges: since the last checkpoint every ten
 * minutes, of the whole ledger every night. Approvals and completions require a recent balanced one.
 */
import type { Reconciliation } from '@cambist/contract/reserves';
import { Refusal } from '#kernel/refusal.ts';
import type { Db } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { runInBackground } from '#platform/http/request-context.ts';
import type { Task } from '#platform/jobs/scheduler.ts';
import { deleteOldCheckpoints, reconcile, type Scope } from '#features/ledger/ledger.ts';
import type { Locked } from './actions/transition.ts';
import * as store from './store/reconciliation.ts';

const KEEP_DAYS = 90;
const KEEP_CHECKPOINTS_DAYS = 7;

type ReconcileDeps = Pick<Deps, 'db' | 'log'>;

/**
 * The newest record decides about approvals in every process. After differences in the whole ledger it is
 * the whole ledger that is reconciled again. A failure to record is only logged, except of the whole
 * ledger: nothing else would find its differences again.
 */
export async function reconcileNow(
  deps: ReconcileDeps,
  asked: Scope = 'since_checkpoint',
): Promise<Reconciliation> {
  const scope = (await store.isWholeUnbalanced(deps.db)) ? 'whole' : asked;
  const found = await reconcile(deps.db, scope, {
    openHolds: store.listOpenHolds,
    misposted: store.listMisposted,
  });
  if (!found.balanced) {
    deps.log.error({ differences: found.differences }, 'The ledger is unbalanced: approvals stop.');
  }
  await store.insertReconciliation(deps.db, found).catch((error: unknown) => {
    if (found.scope === 'whole') throw error;
    deps.log.error({ err: error }, 'A reconciliation was not recorded.');
  });
  return found;
}

const running = new WeakMap<Db, Promise<Reconciliation>>();

/** Callers share one reconciliation, in the background, so that it is recorded even if a request times out. */
export function sharedReconciliation(deps: ReconcileDeps): Promise<Reconciliation> {
  let reconciliation = running.get(deps.db);
  if (reconciliation === undefined) {
    reconciliation = runInBackground(() => reconcileNow(deps)).finally(() =>
      running.delete(deps.db),
    );
    running.set(deps.db, reconciliation);
  }
  return reconciliation;
}

/**
 * An action that needs a recent reconciliation. Where there is none, such as with a stopped scheduler, the
 * action is refused, the ledger is reconciled and the action runs again. It is reconciled outside of the
 * action's transaction, which holds no locks meanwhile.
 */
export async function onceReconciled<T>(deps: ReconcileDeps, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error !== notReconciled) throw error;
  }
  await sharedReconciliation(deps);
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

export function reconciliationTasks(deps: ReconcileDeps): Task[] {
  return [
    {
      name: 'reconcile-ledger',
      cron: '*/10 * * * *',
      async run() {
        const found = await reconcileNow(deps);
        await store.deleteOld(deps.db, KEEP_DAYS);
        await deleteOldCheckpoints(deps.db, KEEP_CHECKPOINTS_DAYS);
        return outcome(found);
      },
    },
    {
      name: 'reconcile-whole-ledger',
      cron: '7 3 * * *',
      again: true,
      run: async () => outcome(await reconcileNow(deps, 'whole')),
    },
  ];
}

function outcome({ balanced, differences }: Reconciliation): string {
  if (balanced) return 'balanced';
  throw new Error(`${differences.length} differences in the ledger.`);
}
