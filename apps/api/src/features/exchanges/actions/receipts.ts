/** An operator records money that came, and reverses what was recorded by mistake. */
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import type {
  recordReceipt as endpoint,
  reverseReceipt as reversal,
} from '@cambist/contract/desk-actions';
import { readAmount } from '#kernel/amount-field.ts';
import { newId } from '#kernel/id.ts';
import { invalid, notFound, Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/db/database.ts';
import { moneyIn, reversed, type Posting } from '#features/ledger/ledger.ts';
import type { ExchangeContext } from '../context.ts';
import { isOpenRefund, unsettledReceipts, type Receipt } from '../records.ts';
import type { Exchange } from '../store/exchanges.ts';
import * as store from '../store/records.ts';
import { finishForOperator } from './finish.ts';
import type { InputOf } from './run.ts';
import {
  commitAction,
  lockForAction,
  posting,
  type Committed,
  type Locked,
  type Operator,
} from './transition.ts';

/** A payment as the bank shows it; minor units of the send currency. */
export interface Payment {
  readonly amount: bigint;
  readonly reference?: string;
  readonly payer?: string;
  /** A day in UTC; today by default. */
  readonly booked_on?: string;
  readonly another_payment?: boolean;
}

const DECIDED: readonly string[] = ['approved', 'completed', 'refund_pending', 'refunded'];

/** @throws Refusal 409 `reference_used`; 422 on `amount`; as the table of actions says */
export async function recordReceipt(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, version, amount, ...payment }: InputOf<typeof endpoint>,
): Promise<{ data: DeskExchangeDetail }> {
  const locked = await lockForAction(context, tx, operator, 'record_receipt', { number, version });
  const entered = { ...payment, amount: readPositive(locked.exchange, amount) };
  await refuseUsedReference(tx, locked.exchange, entered);
  const receipt = await enterReceipt(tx, locked, entered);
  // The decision stands, so this money is not part of it.
  if (DECIDED.includes(locked.exchange.state)) {
    await store.insertRefund(tx, {
      ...refundOf(locked.exchange, entered.amount, locked.facts.now),
      kind: 'excess',
      receipt_id: receipt.id,
    });
  }
  const recorded = await commitAction(tx, locked, {
    data: { received_minor: String(entered.amount) },
  });
  return finishForOperator(context, tx, operator, recorded, [moneyInOf(recorded, receipt)]);
}

/** @throws Refusal 404 for another exchange's receipt; as the table of actions says */
export async function reverseReceipt(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, id, version, reason }: InputOf<typeof reversal>,
): Promise<{ data: DeskExchangeDetail }> {
  const locked = await lockForAction(context, tx, operator, 'reverse_receipt', { number, version });
  const { exchange, facts, records } = locked;
  const receipt = records.receipts.find((each) => each.id === id);
  if (!receipt) throw notFound();
  if (receipt.state !== 'recorded') {
    throw new Refusal(409, 'state_conflict', 'This receipt was reversed already.');
  }
  const isDecided = DECIDED.includes(exchange.state);
  if (isDecided && !unsettledReceipts(records, exchange.state).includes(receipt)) {
    throw new Refusal(409, 'receipt_settled', 'This receipt is part of the decision already.');
  }
  // Its own excess, or the whole that it is part of.
  const open = records.refunds.filter(isOpenRefund);
  const own = isDecided
    ? (open.find(({ receipt_id }) => receipt_id === id) ??
      open.find(({ kind }) => kind === 'whole'))
    : undefined;
  if (own) await store.updateRefund(tx, own.id, { state: 'cancelled' });
  await store.updateReceipt(tx, id, {
    state: 'reversed',
    reversed_by: operator.actor.id,
    reversed_at: facts.now,
    reversal_reason: reason,
  });
  const left = own === undefined ? 0n : own.amount_minor - receipt.amount_minor;
  if (own && left > 0n) {
    await store.insertRefund(tx, {
      ...refundOf(exchange, left, facts.now),
      kind: own.kind,
      charge_minor: own.charge_minor < left ? own.charge_minor : 0n,
      reason: own.reason,
      account: own.account,
      state: own.state,
    });
  }
  const isEnd = exchange.state === 'refund_pending' && left === 0n && open.length === 1;
  const hasPaid = records.refunds.some(({ state }) => state === 'paid');
  const ended = hasPaid ? 'refunded' : (receipt.late_from ?? 'rejected');
  const undone = await commitAction(tx, locked, {
    ...(isEnd && { state: ended }),
    ...(isEnd && ended === 'rejected' && { set: { closed_reason: reason } }),
    reason,
    data: { received_minor: String(-receipt.amount_minor) },
  });
  const entries = reversed(moneyIn(exchange, receipt.amount_minor));
  return finishForOperator(context, tx, operator, undone, [
    posting(undone, 'money_in_reversed', entries, { cause: `receipt:${id}`, reason }),
  ]);
}

export function readPositive({ send }: Exchange, text: string): bigint {
  const amount = readAmount('amount', text, send.decimals);
  if (amount === 0n) throw invalid({ amount: 'The amount must be above zero.' });
  return amount;
}

/**
 * Writes the receipt, after `refuseUsedReference`; its posting follows with `moneyInOf`.
 * @throws Refusal 409 `reference_used`
 */
export async function enterReceipt(
  tx: Tx,
  { exchange, facts, by }: Locked,
  { amount, reference, payer, booked_on, another_payment = false }: Payment,
  lateFrom: Receipt['late_from'] = null,
): Promise<Pick<Receipt, 'id' | 'amount_minor' | 'reference'>> {
  if (by.who !== 'operator') throw new Error('Operators record receipts.');
  const currency = exchange.send_currency_id;
  const receipt = { id: newId(), amount_minor: amount, reference: reference ?? null };
  await store.insertReceipt(tx, {
    ...receipt,
    exchange_id: exchange.id,
    currency_id: currency,
    booked_on: booked_on ?? facts.now.toISOString().slice(0, 10),
    payer: payer ?? null,
    another_payment,
    late_from: lateFrom,
    recorded_by: by.actor.id,
    at: facts.now,
  });
  return receipt;
}

/** @throws Refusal 409 `reference_used`, unless it is said to be another payment */
export async function refuseUsedReference(
  tx: Tx,
  { send_currency_id }: Exchange,
  {
    reference,
    another_payment,
  }: { reference?: string | undefined; another_payment?: boolean | undefined },
): Promise<void> {
  if (reference === undefined || another_payment) return;
  if (await store.isReferenceUsed(tx, 'exchange_receipts', send_currency_id, reference))
    throw store.referenceUsed('reference');
}

export function moneyInOf(
  committed: Committed,
  { id, amount_minor, reference }: Pick<Receipt, 'id' | 'amount_minor' | 'reference'>,
): Posting {
  const entries = moneyIn(committed.exchange, amount_minor);
  return posting(committed, 'money_in', entries, { cause: `receipt:${id}`, reference });
}

/** A refund whose account is not known yet. */
export function refundOf({ id, send_currency_id }: Exchange, amount: bigint, now: Date) {
  return {
    id: newId(),
    exchange_id: id,
    currency_id: send_currency_id,
    amount_minor: amount,
    at: now,
  };
}
