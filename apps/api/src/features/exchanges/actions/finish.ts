/** The end of an action: the notice to open pages, the email to the customer, the postings to the ledger, and the reply. */
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import type { Exchange as ExchangeView } from '@cambist/contract/exchanges';
import { withCommit, type Tx } from '#platform/db/database.ts';
import { orPostingRefusal, postTogether, type Posting } from '#features/ledger/ledger.ts';
import type { ExchangeContext } from '../context.ts';
import { customerAnswer } from '../customer-reads.ts';
import { notifyCustomer } from '../notify-customer.ts';
import { operatorAnswer } from '../operator-reads.ts';
import { readParts, type Parts } from '../parts.ts';
import { findDeskRow } from '../store/lists.ts';
import { idOf, newQueueOf, notifyFollowers, type Committed, type Operator } from './transition.ts';

/** `known`: where the caller has read them. @throws Refusal as `postTogether` */
export async function finish(
  context: ExchangeContext,
  tx: Tx,
  committed: Committed,
  postings: readonly Posting[] = [],
  known?: Parts,
): Promise<Parts> {
  const { row, before, exchange, proofs, by } = committed;
  const parts = known ?? (await readParts(tx, exchange, proofs));
  const queue = newQueueOf(row.action, before, exchange);
  // In one round trip, and last: all customers share the row of a reserve, which the postings lock.
  await Promise.all([
    notifyFollowers(context, tx, exchange, { queue, by: idOf(by) }),
    notifyCustomer(context, tx, committed, parts),
    postTogether(tx, postings),
  ]).catch(orPostingRefusal);
  return parts;
}

/** @throws Refusal as `finish` */
export async function finishForCustomer(
  context: ExchangeContext,
  tx: Tx,
  committed: Committed,
  postings: readonly Posting[] = [],
  known?: Parts,
): Promise<{ data: ExchangeView }> {
  const parts = await finish(context, tx, committed, [], known);
  // The reply does not depend on them.
  if (postings.length > 0) await withCommit(tx, () => postTogether(tx, postings));
  return customerAnswer(context, committed, parts);
}

/** @throws Refusal as `finish` */
export async function finishForOperator(
  context: ExchangeContext,
  tx: Tx,
  { actor }: Operator,
  committed: Committed,
  postings?: readonly Posting[],
): Promise<{ data: DeskExchangeDetail }> {
  const { exchange, proofs } = committed;
  const [parts, row] = await Promise.all([
    readParts(tx, exchange, proofs),
    findDeskRow(tx, context.desk, exchange.id),
  ]);
  // In one round trip; the statements of the reply come after the postings.
  const [, answer] = await Promise.all([
    finish(context, tx, committed, postings, parts),
    operatorAnswer(context, tx, actor, committed, { parts, row }),
  ]).catch(orPostingRefusal);
  return answer;
}
