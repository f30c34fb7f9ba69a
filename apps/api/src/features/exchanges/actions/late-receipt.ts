/** Money came for an ended exchange: it goes on at the locked or the current rate, or is refunded. */
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import type { recordLateReceipt as endpoint } from '@cambist/contract/desk-actions';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/db/database.ts';
import { hold } from '#features/ledger/ledger.ts';
import type { ExchangeContext } from '../context.ts';
import type { Receipt } from '../records.ts';
import { findCustomer } from '../store/exchanges.ts';
import * as store from '../store/records.ts';
import { finishForOperator } from './finish.ts';
import { currentFigures, recalculate } from './recalculate.ts';
import {
  enterReceipt,
  moneyInOf,
  readPositive,
  refundOf,
  refuseUsedReference,
} from './receipts.ts';
import type { InputOf } from './run.ts';
import { commitAction, lockForAction, posting, type Operator } from './transition.ts';

/**
 * Whether the amount fits is decided at the approval.
 * @throws Refusal 409 `account_missing`, `insufficient_reserve`, `reference_used`, `pair_unavailable`;
 *   422 on `amount`; as the table of actions says
 */
export async function recordLateReceipt(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, version, amount, price, ...payment }: InputOf<typeof endpoint>,
): Promise<{ data: DeskExchangeDetail }> {
  const locked = await lockForAction(context, tx, operator, 'record_late_receipt', {
    number,
    version,
  });
  const { exchange, facts } = locked;
  // No fields alone do not say that they were erased: some currencies have none.
  const hasNone = price !== 'refund' && exchange.payout_fields.length === 0;
  if (hasNone && (await findCustomer(tx, exchange.user_id)).deleted_at !== null) {
    const sentence =
      'The customer deleted the account, and with it where to pay out: the payment can only be refunded.';
    throw new Refusal(409, 'account_missing', sentence);
  }
  const entered = { ...payment, amount: readPositive(exchange, amount) };
  const lateFrom = exchange.state as Receipt['late_from'];
  await refuseUsedReference(tx, exchange, entered);
  const receipt = await enterReceipt(tx, locked, entered, lateFrom);
  const data = { received_minor: String(entered.amount), price };
  if (price === 'refund') {
    await store.insertRefund(tx, {
      ...refundOf(exchange, entered.amount, facts.now),
      kind: 'whole',
    });
    const late = await commitAction(tx, locked, { state: 'refund_pending', data });
    return finishForOperator(context, tx, operator, late, [moneyInOf(late, receipt)]);
  }
  const figures =
    price === 'current' ? await currentFigures(context, tx, locked, exchange.send_minor) : null;
  const late = await commitAction(tx, locked, {
    set: {
      ...(figures && (await recalculate(tx, locked, figures))),
      submitted_at: exchange.submitted_at ?? facts.now,
      rate_held_until: new Date(facts.now.getTime() + context.desk.rate_hold_hours * HOUR),
      claimed_by: operator.actor.id,
      claimed_until: new Date(facts.now.getTime() + context.claimMinutes * MINUTE),
      closed_reason: null,
    },
    data,
  });
  return finishForOperator(context, tx, operator, late, [
    moneyInOf(late, receipt),
    posting(late, 'hold', hold(late.exchange), { reason: 'late payment' }),
  ]);
}
