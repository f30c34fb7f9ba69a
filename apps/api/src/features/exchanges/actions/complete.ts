/** An operator has sent the payout: the money is converted, and the hold is paid out. */
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import type { completeExchange } from '@cambist/contract/desk-actions';
import { readAmount } from '#kernel/amount-field.ts';
import { newId } from '#kernel/id.ts';
import type { Tx } from '#platform/db/database.ts';
import { charged, conversion, payOut, tolerance, type Posting } from '#features/ledger/ledger.ts';
import type { ExchangeContext } from '../context.ts';
import { differenceOf, openPayout, type Payout } from '../records.ts';
import { requireBalancedLedger } from '../reconciliation.ts';
import type { Exchange } from '../store/exchanges.ts';
import * as store from '../store/records.ts';
import { unclaimed } from './claim.ts';
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

/** @throws Refusal 409 `reference_used`; 422 on `charge`; 503 `ledger_unbalanced`; as the table says */
export async function complete(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, version, ...sent }: InputOf<typeof completeExchange>,
): Promise<{ data: DeskExchangeDetail }> {
  const locked = await lockForAction(context, tx, operator, 'complete', { number, version });
  requireBalancedLedger(locked);
  const { completed, postings } = await commitCompletion(tx, locked, sent);
  return finishForOperator(context, tx, operator, completed, postings);
}

interface Sent {
  readonly payout_reference: string;
  /** Borne by the desk, in major units of the receive currency. */
  readonly charge?: string;
  readonly another_payout?: boolean;
}

/** Writes payout and exchange; the caller posts, last. @throws Refusal 409 `reference_used`; 422 on `charge` */
export async function commitCompletion(
  tx: Tx,
  locked: Locked,
  { payout_reference: reference, charge: text, another_payout = false }: Sent,
): Promise<{ completed: Committed; postings: Posting[] }> {
  const { exchange, facts, records } = locked;
  const charge = text === undefined ? 0n : readAmount('charge', text, exchange.receive.decimals);
  const payout = openPayout(records);
  if (!payout) throw new Error('An approved exchange has a payout to send.');
  const currency = exchange.receive_currency_id;
  if (!another_payout && (await store.isReferenceUsed(tx, 'exchange_payouts', currency, reference)))
    throw store.referenceUsed('payout_reference');
  await store.updatePayout(tx, payout.id, {
    state: 'sent',
    reference,
    another_payout,
    charge_minor: charge,
    sent_at: facts.now,
    ...(locked.by.who === 'operator' ? { sent_by: locked.by.actor.id } : {}),
  });
  const tolerated = exchange.is_converted ? exchange.tolerated_minor : differenceOf(exchange);
  const completed = await commitAction(tx, locked, {
    set: {
      ...unclaimed,
      completed_at: facts.now,
      is_converted: true,
      tolerated_minor: tolerated,
    },
    data: { payout_reference: reference, charge_minor: String(charge) },
  });
  return { completed, postings: postingsOf(completed, payout, { reference, charge }) };
}

/** After a reopening the money is converted already. */
function postingsOf(
  completed: Committed,
  { id }: Payout,
  { reference, charge }: { reference: string; charge: bigint },
): Posting[] {
  const { before, exchange } = completed;
  const { tolerated_minor: tolerated } = exchange;
  const cause = `payout:${id}`;
  return [
    ...(before.is_converted
      ? []
      : [
          posting(completed, 'conversion', conversion(exchange, tolerated)),
          posting(completed, 'tolerance', tolerance(exchange, tolerated)),
        ]),
    posting(completed, 'payout', payOut(exchange), { cause, reference }),
    posting(completed, 'payout_charge', charged(exchange, charge), { cause, reference }),
  ];
}

/** A payout to the account that the exchange names now. */
export function payoutOf(exchange: Exchange, now: Date) {
  return {
    id: newId(),
    exchange_id: exchange.id,
    currency_id: exchange.receive_currency_id,
    amount_minor: exchange.payout_minor,
    account: exchange.payout_fields,
    at: now,
  };
}
