/** What accounts need of their users' exchanges: the export, and their part in a deletion. */
import type { Exchange as ExchangeView } from '@cambist/contract/exchanges';
import type { Actor } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import { snapshot, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { openContext } from './context.ts';
import { customerAnswer } from './customer-reads.ts';
import { readParts } from './parts.ts';
import { eraseExchanges } from './retention.ts';
import { deleteNotesOfUnpaid } from './store/customers.ts';
import { deleteViewsOf } from './store/desk-views.ts';
import * as store from './store/exchanges.ts';
import { listOwn } from './store/lists.ts';
import { listUnpaidOf } from './store/retention.ts';

/** Bounds the cost of one request. */
const MAX_EXPORT = 10_000;

export async function exportExchanges(deps: Deps, { id }: Actor): Promise<ExchangeView[]> {
  const context = await openContext(deps);
  return snapshot(deps.db, async (tx) => {
    const now = await context.readTime(tx);
    const rows = await listOwn(tx, { userId: id }, { limit: MAX_EXPORT, offset: 0 });
    const views: ExchangeView[] = [];
    for (const exchange of rows) {
      views.push(customerAnswer(context, { exchange, now }, await readParts(tx, exchange)).data);
    }
    return views;
  });
}

/** Locks the customer against new exchanges and returns the number of open ones. */
export async function lockAndCountOpen(tx: Tx, userId: Id): Promise<number> {
  await store.lockCustomer(tx, userId);
  return store.countOpen(tx, userId);
}

/** Locks the customer against new exchanges and returns whether there are any, ended ones included. */
export async function lockAndFindAny(tx: Tx, userId: Id): Promise<boolean> {
  await store.lockCustomer(tx, userId);
  return store.hasExchanges(tx, userId);
}

/**
 * Erases answers and proofs of unpaid exchanges, and the notes about a customer who has no others; and
 * the views of an operator. Returns the files to remove after commit.
 */
export async function eraseUnpaid(tx: Tx, userId: Id): Promise<string[]> {
  await deleteNotesOfUnpaid(tx, userId);
  await deleteViewsOf(tx, userId);
  return eraseExchanges(tx, await listUnpaidOf(tx, userId));
}
