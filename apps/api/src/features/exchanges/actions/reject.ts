/** An operator rejects an exchange; its hold is released. */
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import type { Tx } from '#platform/db/database.ts';
import { release } from '#features/ledger/ledger.ts';
import type { ExchangeContext } from '../context.ts';
import { endQuestion } from '../store/records.ts';
import { unclaimed } from './claim.ts';
import { finishForOperator } from './finish.ts';
import { commitAction, lockForAction, posting, type Operator, type Seen } from './transition.ts';

export async function reject(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, version, reason }: Seen & { reason: string },
): Promise<{ data: DeskExchangeDetail }> {
  const locked = await lockForAction(context, tx, operator, 'reject', { number, version });
  await endQuestion(tx, locked.exchange.id, { state: 'withdrawn', ended_at: locked.facts.now });
  const rejected = await commitAction(tx, locked, {
    set: { ...unclaimed, closed_reason: reason },
    reason,
  });
  const released = posting(rejected, 'release', release(rejected.exchange), { reason });
  return finishForOperator(context, tx, operator, rejected, [released]);
}
