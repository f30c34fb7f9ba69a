/** The payout was sent back: it is to be paid again, and the conversion stays. */
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import type { reopenExchange } from '@cambist/contract/desk-actions';
import { readAmount } from '#kernel/amount-field.ts';
import type { Tx } from '#platform/db/database.ts';
import { charged, payoutBounced } from '#features/ledger/ledger.ts';
import type { ExchangeContext } from '../context.ts';
import { requireBalancedLedger } from '../reconciliation.ts';
import * as store from '../store/records.ts';
import { payoutOf } from './complete.ts';
import { finishForOperator } from './finish.ts';
import type { InputOf } from './run.ts';
import { commitAction, lockForAction, posting, type Operator } from './transition.ts';

/** @throws Refusal 409 `insufficient_reserve`; 422 on `charge`; 503 `ledger_unbalanced`; as the table says */
export async function reopen(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, version, reason, charge: text }: InputOf<typeof reopenExchange>,
): Promise<{ data: DeskExchangeDetail }> {
  const locked = await lockForAction(context, tx, operator, 'reopen', { number, version });
  requireBalancedLedger(locked);
  const { exchange, facts, records } = locked;
  const charge = text === undefined ? 0n : readAmount('charge', text, exchange.receive.decimals);
  const sent = records.payouts.find(({ state }) => state === 'sent');
  if (!sent) throw new Error('A completed exchange has a payout that was sent.');
  await store.updatePayout(tx, sent.id, {
    state: 'returned',
    return_reason: reason,
    charge_minor: sent.charge_minor + charge,
  });
  await store.insertPayout(tx, payoutOf(exchange, facts.now));
  const reopened = await commitAction(tx, locked, {
    set: { completed_at: null },
    reason,
    data: { payout: sent.id, charge_minor: String(charge) },
  });
  const cause = `payout:${sent.id}`;
  return finishForOperator(context, tx, operator, reopened, [
    posting(reopened, 'payout_bounced', payoutBounced(exchange), { cause, reason }),
    posting(reopened, 'return_charge', charged(exchange, charge), { cause, reason }),
  ]);
}
