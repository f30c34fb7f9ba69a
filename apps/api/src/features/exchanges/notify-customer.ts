/** Emails to the customer about an action, enqueued in its transaction. */
import type { Tx } from '#platform/db/database.ts';
import { enqueueEmail } from '#features/email/email.ts';
import { proofsOf } from '#features/proofs/proofs.ts';
import type { Committed } from './actions/transition.ts';
import type { ExchangeContext } from './context.ts';
import { emailAbout } from './emails.ts';
import * as store from './store/exchanges.ts';

export async function notifyCustomer(
  context: ExchangeContext,
  tx: Tx,
  { row, before, exchange }: Pick<Committed, 'row' | 'before' | 'exchange'>,
): Promise<void> {
  if (context.withoutEmails) return;
  const { action } = row;
  if (!(await needsEmail(tx, action, before, exchange))) return;
  const proofCount = (await proofsOf(tx, exchange.id)).length;
  const message = emailAbout(action, { exchange, proofCount, timeZone: context.timeZone });
  if (message === null) return;
  const { email, name, locale } = await store.findCustomer(tx, exchange.user_id);
  const to = { email, userId: exchange.user_id, name, locale, proved: true };
  await enqueueEmail(context, tx, { ...message, to, essential: true });
}

async function needsEmail(
  tx: Tx,
  action: string,
  before: store.Exchange,
  exchange: store.Exchange,
): Promise<boolean> {
  // Proofs before the submission are part of its email.
  if (action === 'upload_proof') return exchange.state !== 'awaiting_payment';
  if (before.state === exchange.state) return action === 'create';
  // Only the first claim, however often operators claim the exchange.
  return action !== 'claim' || (await store.countEvents(tx, exchange.id, 'claim')) === 1;
}
