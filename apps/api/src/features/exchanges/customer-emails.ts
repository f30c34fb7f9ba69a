/** Tells the customer by letter what became of their exchange, in the transaction of what it tells. */
import type { Tx } from '#platform/db/database.ts';
import { enqueueEmail } from '#features/email/email.ts';
import { proofsOf } from '#features/proofs/proofs.ts';
import type { Committed } from './actions/transition.ts';
import type { ExchangeContext } from './context.ts';
import { letterAbout } from './emails.ts';
import * as store from './store/exchanges.ts';

/** One letter for each step, however many actions it was made of. */
export async function tellCustomer(
  context: ExchangeContext,
  tx: Tx,
  { row, before, exchange }: Pick<Committed, 'row' | 'before' | 'exchange'>,
): Promise<void> {
  if (context.silent) return;
  const { action } = row;
  if (!(await isNews(tx, action, before, exchange))) return;
  const customer = await store.findCustomer(tx, exchange.user_id);
  const proofs = (await proofsOf(tx, exchange.id)).length;
  const letter = letterAbout(
    action,
    { exchange, proofs, timeZone: context.timeZone },
    customer.locale,
  );
  if (letter === null) return;
  const { email, name, locale } = customer;
  const to = { email, userId: exchange.user_id, name, locale, proved: true };
  await enqueueEmail(context, tx, { ...letter, to, essential: true });
}

async function isNews(
  tx: Tx,
  action: string,
  before: store.Exchange,
  exchange: store.Exchange,
): Promise<boolean> {
  // Before it is submitted, proofs are told of together, by the letter at the submission.
  if (action === 'upload_proof') return exchange.state !== 'awaiting_payment';
  // The desk may take an exchange up again and again; to the customer it is one check.
  if (before.state === exchange.state) return action === 'create';
  return action !== 'claim' || (await store.countEvents(tx, exchange.id, 'claim')) === 1;
}
