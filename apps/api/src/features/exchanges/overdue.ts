/**
 * Unpaid exchanges past their time, every minute: with a proof they are
 * submitted, without one they expire and free their reserve.
 */
import { transaction } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Task } from '#platform/scheduler.ts';
import { postTogether, type Posting } from '#features/ledger/ledger.ts';
import { endWaiting } from './customer-actions.ts';
import { openWork, type Work } from './exchanges.ts';
import * as store from './store.ts';

/** Small, since the reserve's row stays locked to the end of a batch. */
const BATCH = 25;

/** Ends what is overdue now and says how many of each there were. */
export async function endOverdue(work: Work): Promise<{ expired: number; submitted: number }> {
  const total = { expired: 0, submitted: 0 };
  for (;;) {
    const states = await transaction(work.db, async (tx) => {
      // Skips rows that others hold: a customer may be submitting right now.
      const numbers = await store.lockOverdue(tx, await work.moment(tx), BATCH);
      const postings: Posting[] = [];
      const ended: string[] = [];
      for (const number of numbers) {
        const outcome = await endWaiting(work, tx, number);
        postings.push(...outcome.postings);
        ended.push(outcome.exchange.state);
      }
      await postTogether(tx, postings);
      return ended;
    });
    const expired = states.filter((state) => state === 'expired').length;
    total.expired += expired;
    total.submitted += states.length - expired;
    if (states.length < BATCH) return total;
  }
}

export function overdueTask(deps: Deps): Task {
  return {
    name: 'end-overdue-exchanges',
    cron: '* * * * *',
    async run() {
      const { expired, submitted } = await endOverdue(await openWork(deps));
      return `${expired} expired, ${submitted} submitted`;
    },
  };
}
