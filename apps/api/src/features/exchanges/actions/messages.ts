/** Customer and desk write to each other about an exchange, and operators write notes for themselves. */
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import type { Exchange as ExchangeView } from '@cambist/contract/exchanges';
import type { Actor } from '#kernel/actor.ts';
import { newId } from '#kernel/id.ts';
import { notFound, Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { ExchangeContext } from '../context.ts';
import { customerAnswer, findOwn } from '../customer-reads.ts';
import { notifyOfMessage } from '../notify-customer.ts';
import { operatorAnswer } from '../operator-reads.ts';
import { readParts } from '../parts.ts';
import * as store from '../store/exchanges.ts';
import { countMessages, insertMessage, updateUnread } from '../store/records.ts';
import { finishForOperator } from './finish.ts';
import {
  commitAction,
  lockForAction,
  notifyFollowers,
  type Customer,
  type Operator,
} from './transition.ts';

/** Of a customer about one exchange, since every look at it reads all; the desk can always answer. */
const MOST = 200;

/** @throws Refusal 404, also for another customer's exchange; 409 `too_many_messages` */
export async function writeMessage(
  context: ExchangeContext,
  tx: Tx,
  { actor }: Customer,
  { number, text }: { number: string; text: string },
): Promise<{ data: ExchangeView }> {
  const exchange = await findOwn(tx, actor, number);
  const now = await context.readTime(tx);
  // First, since it locks the exchange: messages sent at once are counted one after the other.
  await updateUnread(tx, exchange.id, { unread_by_desk: true });
  if ((await countMessages(tx, exchange.id, 'customer')) >= MOST) {
    throw new Refusal(409, 'too_many_messages', `You can write ${MOST} messages here at most.`);
  }
  await insertMessage(tx, messageOf(exchange, 'customer', actor, text, now));
  await notifyFollowers(context, tx, exchange);
  return customerAnswer(context, { exchange, now }, await readParts(tx, exchange));
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
  // An answer has read what it answers.
  await updateUnread(tx, exchange.id, { unread_by_customer: true, unread_by_desk: false });
  await notifyFollowers(context, tx, exchange);
  await notifyOfMessage(context, tx, exchange, text);
  return operatorAnswer(context, tx, actor, { exchange, now });
}

/** @throws Refusal 404, also for another customer's exchange */
export async function readByCustomer({ db }: Deps, actor: Actor, number: string): Promise<void> {
  const { id } = await findOwn(db, actor, number);
  await updateUnread(db, id, { unread_by_customer: false });
}

/** @throws Refusal 404 */
export async function readByDesk({ db }: Deps, number: string): Promise<void> {
  const exchange = await store.findExchange(db, number);
  if (!exchange) throw notFound();
  await updateUnread(db, exchange.id, { unread_by_desk: false });
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

/** For operators only. @throws Refusal 404 */
export async function note(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, text }: { number: string; text: string },
): Promise<{ data: DeskExchangeDetail }> {
  const locked = await lockForAction(context, tx, operator, 'note', { number });
  const noted = await commitAction(tx, locked, { reason: text });
  return finishForOperator(context, tx, operator, noted);
}
