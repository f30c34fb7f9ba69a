/** The end of an action: the email to the customer, the postings to the ledger, and the reply. */
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import type { Exchange as ExchangeView } from '@cambist/contract/exchanges';
import type { Tx } from '#platform/db/database.ts';
import { postTogether, type Posting } from '#features/ledger/ledger.ts';
import type { ExchangeContext } from '../context.ts';
import { customerAnswer } from '../customer-reads.ts';
import { notifyCustomer } from '../notify-customer.ts';
import { operatorAnswer } from '../operator-reads.ts';
import { readParts, type Parts } from '../parts.ts';
import { findDeskRow } from '../store/lists.ts';
import type { Committed, Operator } from './transition.ts';

/** `known`: where the caller has read them. @throws Refusal as `postTogether` */
export async function finish(
  context: ExchangeContext,
  tx: Tx,
  committed: Committed,
  postings: readonly Posting[] = [],
  known?: Parts,
): Promise<Parts> {
  const parts = known ?? (await readParts(tx, committed.exchange, committed.proofs));
  // In one round trip. The postings last, because all customers share the row of a reserve.
  await Promise.all([notifyCustomer(context, tx, committed, parts), postTogether(tx, postings)]);
  return parts;
}

/** @throws Refusal as `finish` */
export async function finishForCustomer(
  context: ExchangeContext,
  tx: Tx,
  committed: Committed,
  postings?: readonly Posting[],
  known?: Parts,
): Promise<{ data: ExchangeView }> {
  const parts = await finish(context, tx, committed, postings, known);
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
  await finish(context, tx, committed, postings, parts);
  return operatorAnswer(context, tx, actor, committed, { parts, row });
}
