/** Customer and desk write to each other about an exchange. */
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import type { Exchange as ExchangeView } from '@cambist/contract/exchanges';
import type { Actor } from '#kernel/actor.ts';
import { newId } from '#kernel/id.ts';
import { notFound } from '#kernel/refusal.ts';
import type { Tx } from '#platform/db/database.ts';
import type { ExchangeContext } from '../context.ts';
import { customerAnswer, findOwn } from '../customer-reads.ts';
import { notifyOfMessage } from '../notify-customer.ts';
import { operatorAnswer } from '../operator-reads.ts';
import * as store from '../store/exchanges.ts';
import { insertMessage } from '../store/records.ts';
import { notifyFollowers, type Operator } from './transition.ts';

/** @throws Refusal 404, also for another customer's exchange */
export async function writeMessage(
  context: ExchangeContext,
  tx: Tx,
  actor: Actor,
  { number, text }: { number: string; text: string },
): Promise<{ data: ExchangeView }> {
  const exchange = await findOwn(tx, actor, number);
  const now = await context.readTime(tx);
  await insertMessage(tx, messageOf(exchange, 'customer', actor, text, now));
  await notifyFollowers(context, tx, exchange);
  return customerAnswer(context, tx, { exchange, now });
}

/** The customer gets it by email too. @throws Refusal 404 */
export async function answerCustomer(
  context: ExchangeContext,
  tx: Tx,
  { actor }: Operator,
  { number, text }: { number: string; text: string },
): Promise<{ data: DeskExchangeDetail }> {
  const exchange = await store.findExchange(tx, number);
  if (!exchange) throw notFound();
  const now = await context.readTime(tx);
  await insertMessage(tx, messageOf(exchange, 'desk', actor, text, now));
  await notifyFollowers(context, tx, exchange);
  await notifyOfMessage(context, tx, exchange, text);
  return operatorAnswer(context, tx, actor, { exchange, now });
}

function messageOf(
  { id }: store.Exchange,
  by: 'customer' | 'desk',
  actor: Actor,
  text: string,
  at: Date,
) {
  return { id: newId(), exchange_id: id, by, actor_id: actor.id, text, at };
}
