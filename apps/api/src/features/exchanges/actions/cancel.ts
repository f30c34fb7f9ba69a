/** The customer cancels an unpaid exchange; its hold is released. */
import type { Exchange as ExchangeView } from '@cambist/contract/exchanges';
import type { Actor } from '#kernel/actor.ts';
import type { Tx } from '#platform/db/database.ts';
import { postTogether, release } from '#features/ledger/ledger.ts';
import type { ExchangeContext } from '../context.ts';
import { notifyCustomer } from '../notify-customer.ts';
import { customerAnswer } from '../customer-reads.ts';
import { commitAction, lockForAction, posting, type Seen } from './transition.ts';

export async function cancel(
  context: ExchangeContext,
  tx: Tx,
  actor: Actor,
  { number, version }: Seen,
): Promise<{ data: ExchangeView }> {
  const by = { who: 'customer', actor } as const;
  const locked = await lockForAction(context, tx, { action: 'cancel', by, number, version });
  const cancelled = await commitAction(context, tx, locked);
  await notifyCustomer(context, tx, cancelled);
  const answer = await customerAnswer(context, tx, cancelled);
  await postTogether(tx, [
    posting(cancelled, 'release', release(cancelled.exchange), { reason: 'cancelled' }),
  ]);
  return answer;
}
