/**
 * Retention of exchanges after the account is deleted. Amounts, rates, states and the ledger stay.
 * Answers and proofs stay for five years where a payment was made or submitted, as the law on money
 * laundering demands, and are erased at once elsewhere (docs/decisions/0014-accounts.md).
 */
import { DAY } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Task } from '#platform/jobs/scheduler.ts';
import { discardFiles, removeProofsOf } from '#features/proofs/proofs.ts';
import * as settings from '#features/content/settings/settings.ts';
import { deleteNotesOfDeleted } from './store/customers.ts';
import * as store from './store/retention.ts';

/** Five years (Directive (EU) 2015/849, Article 40), with their leap days. */
const RECORDS_MS = 1827 * DAY;
const BATCH = 200;

/** Erases answers and proofs. Returns the files to remove after commit. */
export async function eraseExchanges(tx: Tx, ids: readonly Id[]): Promise<string[]> {
  if (ids.length === 0) return [];
  await store.eraseAnswers(tx, ids);
  return removeProofsOf(tx, ids);
}

/** Erases records after the required five years. */
export function retentionTask(deps: Deps): Task {
  return {
    name: 'forget-old-records',
    cron: '41 3 * * *',
    async run(now) {
      const before = new Date(now.getTime() - RECORDS_MS);
      await deleteNotesOfDeleted(deps.db, before);
      for (let erased = 0; ;) {
        const { ids, files } = await transaction(deps.db, async (tx) => {
          const found = await store.listOutdated(tx, before, BATCH);
          return { ids: found, files: await eraseExchanges(tx, found) };
        });
        await discardFiles(deps, files);
        erased += ids.length;
        if (ids.length < BATCH) return `${erased} erased`;
      }
    },
  };
}

/**
 * Deletes the proofs of exchanges that ended unpaid, as many days afterwards as the settings say. Their
 * events stay. Rejected exchanges keep theirs: the customer said that they had paid.
 */
export function unpaidProofsTask(deps: Deps): Task {
  return {
    name: 'forget-unpaid-proofs',
    cron: '53 3 * * *',
    async run() {
      const { unpaid_proof_days: days } = await settings.read(deps, 'general');
      for (let deleted = 0; ;) {
        const { ids, files } = await transaction(deps.db, async (tx) => {
          const found = await store.lockUnpaidWithProofs(tx, days, BATCH);
          return { ids: found, files: found.length > 0 ? await removeProofsOf(tx, found) : [] };
        });
        await discardFiles(deps, files);
        deleted += files.length;
        if (ids.length < BATCH) return `${deleted} files deleted`;
      }
    },
  };
}
