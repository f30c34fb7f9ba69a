/** An operator approves the payment; where the pair completes at approval, also the payout. */
import type { approveExchange, DeskExchangeDetail } from '@cambist/contract/desk';
import type { BodyOf } from '@cambist/contract/endpoint';
import { parseAmount } from '@cambist/money/amount';
import { readAmount } from '#kernel/amount-field.ts';
import { invalid, Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/db/database.ts';
import { requireFresh } from '#platform/http/guards.ts';
import { moneyIn, postTogether } from '#features/ledger/ledger.ts';
import { withUnit } from '#features/pairs/limits.ts';
import type { ExchangeContext } from '../context.ts';
import { notifyCustomer } from '../notify-customer.ts';
import { operatorAnswer } from '../operator-reads.ts';
import { requireBalancedLedger } from '../reconciliation.ts';
import type { Exchange } from '../store/exchanges.ts';
import { unclaimed } from './claim.ts';
import { commitCompletion, completionPostings } from './complete.ts';
import { commitAction, continueWith, lockForAction, posting, type Operator } from './transition.ts';

/** A threshold may be written with more decimals than its currency has. */
const THRESHOLD_DECIMALS = 18;

/**
 * @throws Refusal 403 `confirmation_required`; 409 `amount_differs`; 422 on a field; 503
 *   `ledger_unbalanced`; as the table of actions says
 */
export async function approve(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, version, ...input }: BodyOf<typeof approveExchange> & { number: string },
): Promise<{ data: DeskExchangeDetail }> {
  const by = { who: 'operator', ...operator } as const;
  const locked = await lockForAction(context, tx, { action: 'approve', by, number, version });
  requireConfirmation(context, operator, locked.exchange);
  await requireBalancedLedger(tx);
  const received = readReceived(locked.exchange, input.received_amount);
  checkPayoutReference(locked.exchange, input.payout_reference);
  const approved = await commitAction(context, tx, locked, {
    set: {
      ...unclaimed,
      received_minor: received,
      approved_by: operator.actor.id,
      approved_at: locked.facts.now,
    },
    data: { received_minor: String(received) },
  });
  const moneyInPosting = posting(approved, 'money_in', moneyIn(approved.exchange, received));
  if (input.payout_reference === undefined) {
    await notifyCustomer(context, tx, approved);
    await postTogether(tx, [moneyInPosting]);
    return operatorAnswer(context, tx, operator.actor, approved);
  }
  const toComplete = continueWith(locked, approved, 'complete');
  const completed = await commitCompletion(context, tx, toComplete, input.payout_reference);
  // One email for both actions.
  await notifyCustomer(context, tx, completed);
  await postTogether(tx, [moneyInPosting, ...completionPostings(completed)]);
  return operatorAnswer(context, tx, operator.actor, completed);
}

function requireConfirmation(
  { freshApprovalAbove, clock }: ExchangeContext,
  { session }: Operator,
  { send, send_minor }: Exchange,
): void {
  const threshold = freshApprovalAbove.find(({ currency }) => currency === send.slug);
  if (threshold === undefined) return;
  const scaled = send_minor * 10n ** BigInt(THRESHOLD_DECIMALS - send.decimals);
  if (scaled > parseAmount(threshold.amount, THRESHOLD_DECIMALS)) requireFresh(session, clock());
}

/** A difference needs a decision by the desk, such as a refund. */
function readReceived({ send, send_minor }: Exchange, text: string): bigint {
  const received = readAmount('received_amount', text, send.decimals);
  if (received === send_minor) return received;
  throw new Refusal(
    409,
    'amount_differs',
    `The expected amount is ${withUnit(send_minor, send)}, and ${withUnit(received, send)} is entered. Only the exact amount can be approved.`,
  );
}

function checkPayoutReference(
  { complete_on_approval }: Exchange,
  reference: string | undefined,
): void {
  if (complete_on_approval && reference === undefined) {
    throw invalid({ payout_reference: 'The payout reference field is required.' });
  }
  if (!complete_on_approval && reference !== undefined) {
    throw invalid({
      payout_reference: 'The payout reference belongs to the completion of this exchange.',
    });
  }
}
