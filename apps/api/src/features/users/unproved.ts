/**
 * Accounts that nobody proved: whoever opened one has typed an address that may
 * be another's. After a month they are deleted as if by their owner, without a
 * letter; what was done with them stays in the audit log, without a name.
 */
import type { Id } from '#kernel/id.ts';
import { DAY } from '#kernel/clock.ts';
import { record } from '#features/audit/audit.ts';
import { anonymise } from '#features/auth/auth.ts';
import { lockAndFindAny } from '#features/exchanges/exchanges.ts';
import { deleteEmailsOfUser } from '#features/email/email.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { forgetAnswersFor } from '#platform/http/idempotency.ts';
import type { Task } from '#platform/jobs/scheduler.ts';
import * as store from './store.ts';

const KEPT_DAYS = 30;
/** So that a flood of accounts goes in the nights after it, and not in one long run. */
const AT_ONCE = 5000;

export function unprovedTask(deps: Deps): Task {
  return {
    name: 'delete-unproved-accounts',
    cron: '50 3 * * *',
    run: async (now) => `${await deleteUnproved(deps, now)} deleted`,
  };
}

async function deleteUnproved(deps: Deps, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * DAY);
  let deleted = 0;
  for (const id of await store.listUnproved(deps.db, before, AT_ONCE)) {
    if (await deleteOne(deps, id)) deleted += 1;
  }
  return deleted;
}

async function deleteOne(deps: Deps, id: Id): Promise<boolean> {
  return transaction(deps.db, async (tx) => {
    if (await lockAndFindAny(tx, id)) return false;
    if ((await anonymise(deps, tx, id, { onlyUnproved: true })) === null) return false;
    await forgetAnswersFor(tx, id);
    await deleteEmailsOfUser(tx, id);
    await record(tx, {
      actor: 'system',
      origin: null,
      action: 'users.unproved_deleted',
      subject_kind: 'user',
      subject_id: id,
      data: { unproved_days: KEPT_DAYS },
    });
    return true;
  });
}
