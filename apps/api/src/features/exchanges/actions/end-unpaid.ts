/** The system ends unpaid exchanges after their `pay_by`, and questions after their deadline, every minute. */
import { Refusal } from '#kernel/refusal.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Task } from '#platform/jobs/scheduler.ts';
import { release } from '#features/ledger/ledger.ts';
import { openContext, type ExchangeContext } from '../context.ts';
import * as store from '../store/exchanges.ts';
import { finish } from './finish.ts';
import { endQuestionOverdue } from './questions.ts';
import { submittedAt } from './submit.ts';
import { commitAction, lockForAction, posting, system } from './transition.ts';

/** Submits an exchange with a proof or a receipt; without one it expires and its hold is released. */
export async function endUnpaid(
  context: ExchangeContext,
  tx: Tx,
  number: string,
): Promise<'expired' | 'submitted'> {
  const unpaid = await lockForAction(context, tx, system, 'expire', { number }).catch(
    (error: unknown) => {
      if (error instanceof Refusal && error.status === 409) return null;
      throw error;
    },
  );
  if (unpaid) {
    const expired = await commitAction(tx, unpaid);
    await finish(context, tx, expired, [
      posting(expired, 'release', release(expired.exchange), { reason: 'expired' }),
    ]);
    return 'expired';
  }
  const proven = await lockForAction(context, tx, system, 'submit', { number });
  const set = submittedAt(context, proven.facts.now);
  await finish(context, tx, await commitAction(tx, proven, { set }));
  return 'submitted';
}

export interface Ended {
  readonly expired: number;
  readonly submitted: number;
  /** Their question is overdue. */
  readonly unanswered: number;
  /** Unchanged and logged. */
  readonly failed: number;
}

/** One transaction for each exchange, so that a failing one does not block the others. */
export async function endOverdue(context: ExchangeContext): Promise<Ended> {
  const total = { expired: 0, submitted: 0, unanswered: 0, failed: 0 };
  const endEach = async (
    lock: typeof store.lockOverdue,
    end: (tx: Tx, number: string) => Promise<Exclude<keyof Ended, 'failed'>>,
  ) => {
    const failed: string[] = [];
    for (;;) {
      let number: string | undefined;
      try {
        const outcome = await transaction(context.db, async (tx) => {
          // Skips locked rows: a customer may be submitting now.
          number = await lock(tx, await context.readTime(tx), failed);
          return number === undefined ? null : end(tx, number);
        });
        if (outcome === null) return;
        total[outcome] += 1;
      } catch (error) {
        // Without a number the database failed, not an exchange.
        if (number === undefined) throw error;
        context.log.error(
          { err: error, exchange: number },
          'An overdue exchange could not be ended.',
        );
        failed.push(number);
        total.failed += 1;
      }
    }
  };
  await endEach(store.lockOverdue, (tx, number) => endUnpaid(context, tx, number));
  await endEach(store.lockUnanswered, async (tx, number) => {
    await endQuestionOverdue(context, tx, number);
    return 'unanswered';
  });
  return total;
}

export function overdueTask(deps: Deps): Task {
  return {
    name: 'end-overdue-exchanges',
    cron: '* * * * *',
    async run() {
      const { expired, submitted, unanswered, failed } = await endOverdue(await openContext(deps));
      const done = `${expired} expired, ${submitted} submitted, ${unanswered} unanswered`;
      if (failed > 0) throw new Error(`${done}, ${failed} could not be ended; the log says why.`);
      return done;
    },
  };
}
