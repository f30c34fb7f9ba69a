/** An operator has sent the payout: the money is converted, and the hold is paid out. */
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import type { Tx } from '#platform/db/database.ts';
import { conversion, payOut, postTogether, type Posting } from '#features/ledger/ledger.ts';
import type { ExchangeContext } from '../context.ts';
import { notifyCustomer } from '../notify-customer.ts';
import { operatorAnswer } from '../operator-reads.ts';
import { requireBalancedLedger } from '../reconciliation.ts';
import { unclaimed } from './claim.ts';
import {
  commitAction,
  lockForAction,
  posting,
  type Committed,
  type Locked,
  type Operator,
  type Seen,
} from './transition.ts';

/** @throws Refusal 503 `ledger_unbalanced`; as the table of actions says */
export async function complete(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, version, payout_reference: reference }: Seen & { payout_reference: string },
): Promise<{ data: DeskExchangeDetail }> {
  const by = { who: 'operator', ...operator } as const;
  const locked = await lockForAction(context, tx, { action: 'complete', by, number, version });
  await requireBalancedLedger(tx);
  const completed = await commitCompletion(context, tx, locked, reference);
  await notifyCustomer(context, tx, completed);
  await postTogether(tx, completionPostings(completed));
  return operatorAnswer(context, tx, operator.actor, completed);
}

export function commitCompletion(
  context: ExchangeContext,
  tx: Tx,
  locked: Locked,
  reference: string,
): Promise<Committed> {
  return commitAction(context, tx, locked, {
    set: { ...unclaimed, payout_reference: reference, completed_at: locked.facts.now },
    data: { payout_reference: reference },
  });
}

export function completionPostings(completed: Committed): Posting[] {
  const { exchange } = completed;
  return [
    posting(completed, 'conversion', conversion(exchange)),
    posting(completed, 'payout', payOut(exchange), { reference: exchange.payout_reference }),
  ];
}
