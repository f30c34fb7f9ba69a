/**
 * Sends the alerts that are due. What ends an alert is written in the transaction that enqueues its
 * email, so a crash neither loses nor repeats one.
 */
import { enqueueEmail, type Email } from '#features/email/email.ts';
import { DAY, HOUR } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { postpone, type AlertTable } from './store.ts';

export type AlertDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'jobs' | 'keys' | 'published'>;

interface DueAlert {
  readonly id: Id;
  readonly email: Email;
  /** Ends the alert. */
  readonly end: () => Promise<void>;
}

/** Small, since its rows are locked until the end of its transaction. */
const BATCH = 20;

/** `lock` finds at most so many due alerts and skips those of another check. Returns how many were sent. */
export async function sendDue(
  deps: AlertDeps,
  table: AlertTable,
  lock: (tx: Tx, now: Date, limit: number) => Promise<DueAlert[]>,
): Promise<number> {
  for (let sent = 0; ;) {
    const batch = await transaction(deps.db, async (tx) => {
      const now = deps.clock();
      // Later the figures would be outdated.
      const expiresAt = new Date(now.getTime() + DAY);
      const due = await lock(tx, now, BATCH);
      let count = 0;
      for (const { id, email, end } of due) {
        if (await enqueueEmail(deps, tx, { ...email, expiresAt })) {
          await end();
          count += 1;
        } else {
          // The limit of emails to the address has reset after this.
          await postpone(tx, table, id, new Date(now.getTime() + HOUR));
        }
      }
      return { found: due.length, count };
    });
    sent += batch.count;
    if (batch.found < BATCH) return sent;
  }
}
