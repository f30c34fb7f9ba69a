/** Money goes back to the customer: the refund is begun, gets its account, is paid, and may return. */
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import type * as endpoints from '@cambist/contract/desk-actions';
import type { setRefundAccount as setAccount } from '@cambist/contract/customer-actions';
import type { Exchange as ExchangeView } from '@cambist/contract/exchanges';
import { readAmount } from '#kernel/amount-field.ts';
import { invalid, notFound, Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/db/database.ts';
import { conversion, refundPaid, release, reversed, tolerance } from '#features/ledger/ledger.ts';
import type { ExchangeContext } from '../context.ts';
import { isOpenRefund, openPayout, openRefunds, refundedMinor, type Refund } from '../records.ts';
import { requireBalancedLedger } from '../reconciliation.ts';
import * as store from '../store/records.ts';
import { unclaimed } from './claim.ts';
import { finishForCustomer, finishForOperator } from './finish.ts';
import { refundOf } from './receipts.ts';
import type { InputOf } from './run.ts';
import {
  commitAction,
  lockForAction,
  posting,
  type Locked,
  type Operator,
  type Customer,
} from './transition.ts';

/**
 * Ends the exchange: the hold is released, and what stands of the receipts is to be paid back.
 * @throws Refusal 409 `insufficient_reserve` where a conversion must be reversed; 422 on `charge`;
 *   503 `ledger_unbalanced`; as the table of actions says
 */
export async function refund(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, version, reason, charge: chargeText, account }: InputOf<typeof endpoints.beginRefund>,
): Promise<{ data: DeskExchangeDetail }> {
  const locked = await lockForAction(context, tx, operator, 'refund', { number, version });
  requireBalancedLedger(locked);
  const { exchange, facts, records } = locked;
  const amount = exchange.received_minor - refundedMinor(records);
  const charge =
    chargeText === undefined ? 0n : readAmount('charge', chargeText, exchange.send.decimals);
  if (charge >= amount) throw invalid({ charge: 'The charge must be below the refund.' });
  await store.endQuestion(tx, exchange.id, { state: 'withdrawn', ended_at: facts.now });
  const payout = openPayout(records);
  if (payout) await store.updatePayout(tx, payout.id, { state: 'cancelled' });
  for (const { id } of openRefunds(records)) {
    await store.updateRefund(tx, id, { state: 'cancelled' });
  }
  await store.insertRefund(tx, {
    ...refundOf(exchange, amount, facts.now),
    kind: 'whole',
    charge_minor: charge,
    reason,
    account: account ?? null,
    state: account === undefined ? 'awaiting_account' : 'to_pay',
  });
  const begun = await commitAction(tx, locked, {
    set: { ...unclaimed, is_converted: false, tolerated_minor: 0n, closed_reason: reason },
    reason,
    data: { amount_minor: String(amount), charge_minor: String(charge) },
  });
  // Only a payout that was sent back leaves a conversion to reverse.
  const undo = exchange.is_converted
    ? [
        posting(
          begun,
          'conversion_reversed',
          reversed(conversion(exchange, exchange.tolerated_minor)),
        ),
        posting(
          begun,
          'tolerance_reversed',
          reversed(tolerance(exchange, exchange.tolerated_minor)),
        ),
      ]
    : [];
  const released = posting(begun, 'release', release(exchange), { reason });
  return finishForOperator(context, tx, operator, begun, [...undo, released]);
}

/** @throws Refusal 409 `account_missing`; 503 `ledger_unbalanced`; as the table says */
export async function payRefund(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, id, version, reference, account }: InputOf<typeof endpoints.payRefund>,
): Promise<{ data: DeskExchangeDetail }> {
  const locked = await lockForAction(context, tx, operator, 'pay_refund', { number, version });
  requireBalancedLedger(locked);
  const { exchange, facts, records } = locked;
  const paid = findRefund(locked, id, isOpenRefund, 'This refund is not open.');
  // Where the money went counts, also where another account was named.
  const paidTo = account ?? paid.account;
  if (paidTo === null) {
    throw new Refusal(409, 'account_missing', 'Enter the account that the refund was paid to.');
  }
  const isOther = paid.account !== null && paidTo !== paid.account;
  await store.updateRefund(tx, id, {
    state: 'paid',
    account: paidTo,
    account_before: isOther ? paid.account : null,
    reference,
    paid_at: facts.now,
    paid_by: operator.actor.id,
  });
  const isLast = openRefunds(records).length === 1;
  const done = await commitAction(tx, locked, {
    ...(exchange.state === 'refund_pending' && !isLast ? { state: 'refund_pending' } : {}),
    data: { refund: id, amount_minor: String(paid.amount_minor), reference, redirected: isOther },
  });
  return finishForOperator(context, tx, operator, done, [
    posting(
      done,
      paid.kind === 'whole' ? 'refund' : 'excess_refund',
      refundPaid(exchange, paid.amount_minor, paid.charge_minor),
      { cause: `refund:${id}`, reference },
    ),
  ]);
}

/** The record stays `returned`; a new one waits for another account. @throws Refusal as the table says */
export async function returnRefund(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, id, version, reason }: InputOf<typeof endpoints.returnRefund>,
): Promise<{ data: DeskExchangeDetail }> {
  const locked = await lockForAction(context, tx, operator, 'return_refund', { number, version });
  const { exchange, facts } = locked;
  const isPaid = ({ state }: Refund) => state === 'paid';
  const { kind, amount_minor, charge_minor } = findRefund(locked, id, isPaid, 'It was not paid.');
  await store.updateRefund(tx, id, { state: 'returned', return_reason: reason });
  await store.insertRefund(tx, {
    ...refundOf(exchange, amount_minor, facts.now),
    kind,
    charge_minor,
  });
  const returned = await commitAction(tx, locked, {
    reason,
    data: { refund: id, amount_minor: String(amount_minor) },
  });
  const entries = reversed(refundPaid(exchange, amount_minor, charge_minor));
  return finishForOperator(context, tx, operator, returned, [
    posting(returned, 'refund_returned', entries, { cause: `refund:${id}`, reason }),
  ]);
}

/** The customer names the account of every refund that is not paid yet. @throws Refusal as the table says */
export async function setRefundAccount(
  context: ExchangeContext,
  tx: Tx,
  customer: Customer,
  { number, version, account }: InputOf<typeof setAccount>,
): Promise<{ data: ExchangeView }> {
  const locked = await lockForAction(context, tx, customer, 'set_refund_account', {
    number,
    version,
  });
  for (const { id } of openRefunds(locked.records)) {
    await store.updateRefund(tx, id, { state: 'to_pay', account });
  }
  const named = await commitAction(tx, locked);
  return finishForCustomer(context, tx, named);
}

/** @throws Refusal 404; 409 `state_conflict` in another state */
function findRefund(
  { records }: Locked,
  id: string,
  isRight: (refund: Refund) => boolean,
  sentence: string,
): Refund {
  const found = records.refunds.find((each) => each.id === id);
  if (!found) throw notFound();
  if (!isRight(found)) throw new Refusal(409, 'state_conflict', sentence);
  return found;
}
