/** An operator's note, visible to operators only. */
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import type { Tx } from '#platform/db/database.ts';
import type { ExchangeContext } from '../context.ts';
import { operatorAnswer } from '../operator-reads.ts';
import { commitAction, lockForAction, type Operator } from './transition.ts';

export async function note(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, text }: { number: string; text: string },
): Promise<{ data: DeskExchangeDetail }> {
  const locked = await lockForAction(context, tx, operator, 'note', { number });
  const noted = await commitAction(context, tx, locked, { reason: text });
  return operatorAnswer(context, tx, operator.actor, noted);
}
