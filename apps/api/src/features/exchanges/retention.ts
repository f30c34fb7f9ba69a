/**
 * What stays of exchanges whose customer deleted the account. Amounts, rates,
 * states and the ledger stay for good, without the person. Where money moved,
 * or somebody claimed that it had, the answers and proofs are records that the
 * law on money laundering demands for five years; elsewhere they go at once.
 * docs/decisions/0014-accounts.md has the why.
 */
import type { Exchange as ExchangeView } from '@cambist/contract/exchanges';
import { DAY } from '#kernel/clock.ts';
import type { Actor } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import { snapshot, transaction, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Task } from '#platform/scheduler.ts';
import { discardFiles, proofsOf, removeProofsOf } from '#features/proofs/proofs.ts';
import * as settings from '#features/content/settings/settings.ts';
import { listOwn } from './list-store.ts';
import * as retention from './retention-store.ts';
import * as store from './store.ts';
import { factsOf, type Work } from './transition.ts';
import { exchangeView } from './views.ts';

/** Five years (Directive (EU) 2015/849, Article 40), with their leap days. */
const RECORDS_MS = 1827 * DAY;
const BATCH = 200;
/** Nobody's own history is longer; it bounds what one request can cost. */
const MAX_EXPORT = 10_000;

/**
 * Takes the answers and proofs out of exchanges in which nothing was ever paid.
 * Answers the names of the files to remove after commit.
 */
export async function forgetUnpaid(tx: Tx, userId: Id): Promise<string[]> {
  return forget(tx, await retention.listUnpaidOf(tx, userId));
}

async function forget(tx: Tx, exchangeIds: readonly Id[]): Promise<string[]> {
  if (exchangeIds.length === 0) return [];
  await retention.eraseAnswers(tx, exchangeIds);
  return removeProofsOf(tx, exchangeIds);
}

/** Erases what was kept long enough. */
export function retentionTask(deps: Deps): Task {
  return {
    name: 'forget-old-records',
    cron: '41 3 * * *',
    async run(now) {
      const before = new Date(now.getTime() - RECORDS_MS);
      for (let erased = 0; ;) {
        const { ids, files } = await transaction(deps.db, async (tx) => {
          const found = await retention.listOutdated(tx, before, BATCH);
          return { ids: found, files: await forget(tx, found) };
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
 * events stay. Rejected exchanges keep theirs: somebody said that they had paid.
 */
export function unpaidProofsTask(deps: Deps): Task {
  return {
    name: 'forget-unpaid-proofs',
    cron: '53 3 * * *',
    async run() {
      const { unpaid_proof_days: days } = await settings.read(deps, 'general');
      for (let deleted = 0; ;) {
        const { ids, files } = await transaction(deps.db, async (tx) => {
          const found = await retention.lockUnpaidWithProofs(tx, days, BATCH);
          return { ids: found, files: found.length > 0 ? await removeProofsOf(tx, found) : [] };
        });
        await discardFiles(deps, files);
        deleted += files.length;
        if (ids.length < BATCH) return `${deleted} files deleted`;
      }
    },
  };
}

/** Every exchange of theirs with its events, as its owner sees it: for the export of the account. */
export async function everythingOwn(work: Work, { id }: Actor): Promise<ExchangeView[]> {
  return snapshot(work.db, async (tx) => {
    const now = await work.moment(tx);
    const rows = await listOwn(tx, { userId: id }, { limit: MAX_EXPORT, offset: 0 });
    const views: ExchangeView[] = [];
    for (const row of rows) {
      const proofs = await proofsOf(tx, row.id);
      const events = await store.listEvents(tx, row.id);
      const facts = factsOf(work, row, proofs.length, id, now);
      views.push(exchangeView(row, { proofs, events, facts }));
    }
    return views;
  });
}
