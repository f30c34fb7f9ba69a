/**
 * Deletes accounts whose address was not verified in a month: anyone can open one with another person's
 * address. No email is sent, and the audit log stays without a name.
 */
import { bySystem } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import { DAY } from '#kernel/clock.ts';
import { deletePersonalData } from '#features/auth/account/deletion.ts';
import { recordUserEvent } from '#features/auth/users.ts';
import { lockAndFindAny } from '#features/exchanges/exchanges.ts';
import { deleteEmailsOfUser } from '#features/email/email.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { forgetAnswersFor } from '#platform/http/idempotency.ts';
import type { Task } from '#platform/jobs/scheduler.ts';
import * as store from './store.ts';

const MAX_DAYS = 30;
/** Bounds one run after a flood of sign-ups; the rest follows in the next nights. */
const AT_ONCE = 5000;

export function unverifiedTask(deps: Deps): Task {
  return {
    name: 'delete-unproved-accounts',
    cron: '50 3 * * *',
    run: async (now) => `${await deleteUnverified(deps, now)} deleted`,
  };
}

async function deleteUnverified(deps: Deps, now: Date): Promise<number> {
  const before = new Date(now.getTime() - MAX_DAYS * DAY);
  let deleted = 0;
  for (const id of await store.listUnverified(deps.db, before, AT_ONCE)) {
    if (await deleteOne(deps, id)) deleted += 1;
  }
  return deleted;
}

async function deleteOne(deps: Deps, id: Id): Promise<boolean> {
  return transaction(deps.db, async (tx) => {
    if (await lockAndFindAny(tx, id)) return false;
    if ((await deletePersonalData(deps, tx, id, { onlyUnverified: true })) === null) return false;
    await forgetAnswersFor(tx, id);
    await deleteEmailsOfUser(tx, id);
    const data = { unproved_days: MAX_DAYS };
    await recordUserEvent(tx, 'users.unproved_deleted', { id }, bySystem, data);
    return true;
  });
}
