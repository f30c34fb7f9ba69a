/** Emails to the customer about an action, enqueued in its transaction. */
import type { Tx } from '#platform/db/database.ts';
import { enqueueEmail } from '#features/email/email.ts';
import type { Committed } from './actions/transition.ts';
import { toleranceOf, type ExchangeContext } from './context.ts';
import { emailAbout, emailOfMessage } from './emails.ts';
import type { Parts } from './parts.ts';
import * as store from './store/exchanges.ts';

export async function notifyCustomer(
  context: ExchangeContext,
  tx: Tx,
  { row, before, exchange, reason }: Committed,
  { records, proofs, customer, events }: Parts,
): Promise<void> {
  const { action } = row;
  if (context.withoutEmails || !needsEmail(action, before, exchange, events)) return;
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
  { id, email, name, locale }: store.CustomerRow,
  message: NonNullable<ReturnType<typeof emailAbout>>,
): Promise<void> {
  const to = { email, userId: id, name, locale, proved: true };
  const mail = { ...message, to, essential: true } as const;
  context.onEmail?.(mail);
  await enqueueEmail(context, tx, mail);
}

function needsEmail(
  action: string,
  before: store.Exchange,
  exchange: store.Exchange,
  events: Parts['events'],
): boolean {
  // Proofs before the submission are part of its email.
  if (action === 'upload_proof') return exchange.state !== 'awaiting_payment';
  // Of a claim before the payout, and of a renewed one, the customer need not know.
  if (action !== 'claim') return true;
  if (before.state === exchange.state) return false;
  if (before.state === 'on_hold') return true;
  // Only the first claim, however often operators claim the exchange.
  return events.filter((event) => event.action === 'claim').length === 1;
}
