/** Pure: receipts, payouts, refunds, approvals, questions and messages as they are sent. */
import type { Static } from 'typebox';
import type * as wire from '@cambist/contract/exchange-records';
import { formatAmount } from '@cambist/money/amount';
import { displayRate } from '#features/pairs/price.ts';
import {
  accountText,
  exceptionOf,
  type Message,
  type Recalculation,
  type Records,
  type Refund,
} from './records.ts';
import type { Exchange } from './store/exchanges.ts';

/** What customer and desk both see. */
export function sharedRecordsView(exchange: Exchange, records: Records, toleranceMinor: bigint) {
  const { send, state } = exchange;
  return {
    exception: exceptionOf(exchange, toleranceMinor),
    received_amount: formatAmount(exchange.received_minor, send.decimals),
    question: questionView(records, state),
    refunds: records.refunds.map((refund) => refundView(refund, send.decimals)),
    recalculations: records.recalculations.map((each) => recalculationView(each, exchange)),
  };
}

export function messageView({ id, by, text, at }: Message) {
  return { id, by, text, at: at.toISOString() };
}

function recalculationView(
  { before, after, at }: Recalculation,
  { send, receive }: Exchange,
): wire.Recalculation {
  const amounts = (figures: Recalculation['before']) => ({
    send_amount: formatAmount(figures.send_minor, send.decimals),
    receive_amount: formatAmount(figures.payout_minor, receive.decimals),
    rate: displayRate(figures),
  });
  return { before: amounts(before), after: amounts(after), at: at.toISOString() };
}

export function deskRecordsView({ send, receive }: Exchange, records: Records) {
  const sent = (minor: bigint) => formatAmount(minor, send.decimals);
  const received = (minor: bigint) => formatAmount(minor, receive.decimals);
  return {
    receipts: records.receipts.map((receipt): wire.Receipt => ({
      id: receipt.id,
      amount: sent(receipt.amount_minor),
      booked_on: receipt.booked_on,
      payer: receipt.payer,
      reference: receipt.reference,
      source: receipt.source,
      state: receipt.state,
      recorded_by: receipt.recorder,
      at: receipt.at.toISOString(),
    })),
    payouts: records.payouts.map((payout): wire.Payout => ({
      id: payout.id,
      amount: received(payout.amount_minor),
      account: accountText(payout.account),
      reference: payout.reference,
      charge: received(payout.charge_minor),
      state: payout.state,
      at: payout.at.toISOString(),
    })),
    approvals: records.approvals.map((approval): Static<typeof wire.Approval> => ({
      id: approval.id,
      by: approval.approver,
      received_amount: sent(approval.received_minor),
      difference: approval.difference,
      reference: approval.reference,
      at: approval.at.toISOString(),
      until: approval.until?.toISOString() ?? null,
    })),
  };
}

function refundView(refund: Refund, decimals: number): wire.Refund {
  return {
    id: refund.id,
    kind: refund.kind,
    amount: formatAmount(refund.amount_minor, decimals),
    charge: formatAmount(refund.charge_minor, decimals),
    account: refund.account,
    reference: refund.reference,
    state: refund.state,
    at: refund.at.toISOString(),
  };
}

const ASKED: readonly string[] = ['payment_submitted', 'under_review', 'on_hold'];

/** The words of a question and its answer stand with the question, so that they can be erased. */
export function wordsAt({ questions }: Records, { action, at }: { action: string; at: Date }) {
  const isAt = (time: Date | null) => time?.getTime() === at.getTime();
  if (action === 'ask') return questions.find((each) => isAt(each.at))?.text ?? null;
  if (action !== 'answer') return null;
  return questions.find((each) => isAt(each.ended_at))?.answer ?? null;
}

/** Until it is answered, withdrawn or asked anew, and while the exchange is under review. */
function questionView({ questions }: Records, state: string): Static<typeof wire.Question> | null {
  const question = questions.at(-1);
  if (question === undefined || !ASKED.includes(state)) return null;
  if (question.state !== 'open' && question.state !== 'overdue') return null;
  return {
    text: question.text,
    wants: question.wants,
    asked_at: question.at.toISOString(),
    answer_by: question.answer_by.toISOString(),
    overdue: question.state === 'overdue',
  };
}
