/** The desk asks the customer, with a deadline; the exchange is on hold until the answer. */
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import type { askQuestion } from '@cambist/contract/desk-actions';
import type { answerQuestion } from '@cambist/contract/customer-actions';
import type { Exchange as ExchangeView } from '@cambist/contract/exchanges';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { newId } from '#kernel/id.ts';
import { invalid } from '#kernel/refusal.ts';
import type { Tx } from '#platform/db/database.ts';
import type { ExchangeContext } from '../context.ts';
import { endQuestion, insertQuestion } from '../store/records.ts';
import { unclaimed } from './claim.ts';
import { finish, finishForCustomer, finishForOperator } from './finish.ts';
import type { InputOf } from './run.ts';
import { commitAction, lockForAction, system, type Customer, type Operator } from './transition.ts';

/** The operator keeps the claim until the deadline. @throws Refusal as the table of actions says */
export async function ask(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, version, text, wants }: InputOf<typeof askQuestion>,
): Promise<{ data: DeskExchangeDetail }> {
  const locked = await lockForAction(context, tx, operator, 'ask', { number, version });
  const { now } = locked.facts;
  const answerBy = new Date(now.getTime() + context.desk.answer_hours * HOUR);
  await insertQuestion(tx, {
    id: newId(),
    exchange_id: locked.exchange.id,
    text,
    wants,
    asked_by: operator.actor.id,
    at: now,
    answer_by: answerBy,
  });
  const asked = await commitAction(tx, locked, {
    set: { claimed_by: operator.actor.id, claimed_until: answerBy },
    data: { wants },
  });
  return finishForOperator(context, tx, operator, asked);
}

/**
 * The operator who asked keeps the claim for its usual time.
 * @throws Refusal 422 on `text` without words and without a new proof; as the table of actions says
 */
export async function answer(
  context: ExchangeContext,
  tx: Tx,
  customer: Customer,
  { number, version, text }: InputOf<typeof answerQuestion>,
): Promise<{ data: ExchangeView }> {
  const locked = await lockForAction(context, tx, customer, 'answer', { number, version });
  const { exchange, facts, proofs, records } = locked;
  const askedAt = records.questions.at(-1)?.at ?? facts.now;
  if (text === undefined && !proofs.some(({ created_at }) => created_at > askedAt)) {
    throw invalid({ text: 'Write an answer, or upload a new proof first.' });
  }
  await endQuestion(tx, exchange.id, {
    state: 'answered',
    answer: text ?? null,
    ended_at: facts.now,
  });
  const answered = await commitAction(tx, locked, {
    set: { claimed_until: new Date(facts.now.getTime() + context.claimMinutes * MINUTE) },
  });
  return finishForCustomer(context, tx, answered);
}

/** Past its deadline the exchange returns to the queue, with the question marked overdue. */
export async function endQuestionOverdue(
  context: ExchangeContext,
  tx: Tx,
  number: string,
): Promise<void> {
  const locked = await lockForAction(context, tx, system, 'answer_overdue', { number });
  await endQuestion(tx, locked.exchange.id, { state: 'overdue', ended_at: locked.facts.now });
  await finish(context, tx, await commitAction(tx, locked, { set: unclaimed }));
}
