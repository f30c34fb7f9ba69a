/**
 * What accounts need of the exchanges of their users: a copy for the person's
 * export, and what the deletion of an account does to them.
 */
import type { Exchange as ExchangeView } from '@cambist/contract/exchanges';
import type { Actor } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import { snapshot, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { openContext } from './context.ts';
import { customerAnswer } from './customer-reads.ts';
import { eraseExchanges } from './retention.ts';
import * as store from './store/exchanges.ts';
import { listOwn } from './store/lists.ts';
import { listUnpaidOf } from './store/retention.ts';

export { customerCondition } from './store/search.ts';

/** More than any customer has; it bounds what one request can cost. */
const MAX_EXPORT = 10_000;

/** Every exchange of theirs with its events, as its owner sees it. */
export async function exportExchanges(deps: Deps, { id }: Actor): Promise<ExchangeView[]> {
  const context = await openContext(deps);
  return snapshot(deps.db, async (tx) => {
    const now = await context.readTime(tx);
    const rows = await listOwn(tx, { userId: id }, { limit: MAX_EXPORT, offset: 0 });
    const views: ExchangeView[] = [];
    for (const exchange of rows) {
      views.push((await customerAnswer(context, tx, { exchange, now })).data);
    }
    return views;
  });
}

/** Until the end of the transaction the customer creates no exchange. Returns how many are open. */
export async function lockAndCountOpen(tx: Tx, userId: Id): Promise<number> {
  await store.lockCustomer(tx, userId);
  return store.countOpen(tx, userId);
}

/** The same; returns whether there are any, ended ones included. */
export async function lockAndFindAny(tx: Tx, userId: Id): Promise<boolean> {
  await store.lockCustomer(tx, userId);
  return store.hasExchanges(tx, userId);
}

/**
 * Takes the answers and proofs out of exchanges in which nothing was ever paid.
 * Returns the names of the files to remove after commit.
 */
export async function forgetUnpaid(tx: Tx, userId: Id): Promise<string[]> {
  return eraseExchanges(tx, await listUnpaidOf(tx, userId));
}
