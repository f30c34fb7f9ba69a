/** An operator rejects an exchange; its hold is released. */
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import type { Tx } from '#platform/db/database.ts';
import { postTogether, release } from '#features/ledger/ledger.ts';
import type { ExchangeContext } from '../context.ts';
import { notifyCustomer } from '../notify-customer.ts';
import { operatorAnswer } from '../operator-reads.ts';
import { endQuestion } from '../store/records.ts';
import { unclaimed } from './claim.ts';
import { commitAction, lockForAction, posting, type Operator, type Seen } from './transition.ts';

export async function reject(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, version, reason }: Seen & { reason: string },
): Promise<{ data: DeskExchangeDetail }> {
  const by = { who: 'operator', ...operator } as const;
  const locked = await lockForAction(context, tx, { action: 'reject', by, number, version });
  await endQuestion(tx, locked.exchange.id, { state: 'withdrawn', ended_at: locked.facts.now });
  const rejected = await commitAction(context, tx, locked, {
    set: { ...unclaimed, closed_reason: reason },
    reason,
  });
  await notifyCustomer(context, tx, rejected);
  await postTogether(tx, [posting(rejected, 'release', release(rejected.exchange), { reason })]);
  return operatorAnswer(context, tx, operator.actor, rejected);
}
