/** Emails to the customer about an action, enqueued in its transaction. */
import type { Tx } from '#platform/db/database.ts';
import { enqueueEmail } from '#features/email/email.ts';
import { proofsOf } from '#features/proofs/proofs.ts';
import type { Committed } from './actions/transition.ts';
import { toleranceOf, type ExchangeContext } from './context.ts';
import { emailAbout, emailOfMessage } from './emails.ts';
import * as store from './store/exchanges.ts';
import { findRecords } from './store/records.ts';

export async function notifyCustomer(
  context: ExchangeContext,
  tx: Tx,
  { row, before, exchange, reason }: Pick<Committed, 'row' | 'before' | 'exchange' | 'reason'>,
): Promise<void> {
  if (context.withoutEmails) return;
  const { action } = row;
  if (!(await needsEmail(tx, action, before, exchange))) return;
  const [proofs, records, customer] = await Promise.all([
    proofsOf(tx, exchange.id),
    findRecords(tx, exchange.id),
    store.findCustomer(tx, exchange.user_id),
  ]);
  const { timeZone } = context;
  const proofCount = proofs.length;
  const toleranceMinor = toleranceOf(context, exchange.send);
  const about = { before, exchange, records, reason, proofCount, toleranceMinor, timeZone };
  const message = emailAbout(action, about);
  if (message !== null) await send(context, tx, customer, message);
}

/** A message of the desk, word for word. */
export async function notifyOfMessage(
  context: ExchangeContext,
  tx: Tx,
  exchange: store.Exchange,
  text: string,
): Promise<void> {
  if (context.withoutEmails) return;
  const customer = await store.findCustomer(tx, exchange.user_id);
  await send(context, tx, customer, emailOfMessage(exchange, text));
}

async function send(
  context: ExchangeContext,
  tx: Tx,
  { id, email, name, locale }: Awaited<ReturnType<typeof store.findCustomer>>,
  message: NonNullable<ReturnType<typeof emailAbout>>,
): Promise<void> {
  const to = { email, userId: id, name, locale, proved: true };
  const mail = { ...message, to, essential: true } as const;
  context.onEmail?.(mail);
  await enqueueEmail(context, tx, mail);
}

async function needsEmail(
  tx: Tx,
  action: string,
  before: store.Exchange,
  exchange: store.Exchange,
): Promise<boolean> {
  // Proofs before the submission are part of its email.
  if (action === 'upload_proof') return exchange.state !== 'awaiting_payment';
  // Of a claim before the payout, and of a renewed one, the customer need not know.
  if (action !== 'claim') return true;
  if (before.state === exchange.state) return false;
  if (before.state === 'on_hold') return true;
  // Only the first claim, however often operators claim the exchange.
  return (await store.countEvents(tx, exchange.id, 'claim')) === 1;
}
