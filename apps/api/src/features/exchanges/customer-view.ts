/** Pure: an exchange as its customer and the public see it. */
import type {
  Exchange as ExchangeView,
  ExchangeSummary,
  TimelineEvent,
} from '@cambist/contract/exchanges';
import { customerActions } from '@cambist/contract/exchanges';
import type { ExchangeStatus } from '@cambist/contract/status-link';
import { MINUTE } from '#kernel/clock.ts';
import { formatAmount } from '@cambist/money/amount';
import { qrOf } from '#features/currencies/payee.ts';
import { proofView } from '#features/proofs/proofs.ts';
import { breakdownOf, displayRate } from '#features/pairs/price.ts';
import type { Exchange, ExchangeEvent } from './store/exchanges.ts';
import type { Facts } from './guards.ts';
import type { Parts } from './parts.ts';
import { missingMinor, sentPayout, type Records } from './records.ts';
import { messageView, wordsAt, sharedRecordsView } from './record-views.ts';
import { allowedTo, isOnTimeline } from './workflow.ts';

export function summaryOf(exchange: Exchange): ExchangeSummary {
  return {
    number: exchange.number,
    pair: exchange.pair_slug,
    state: exchange.state,
    send: exchange.send,
    receive: exchange.receive,
    send_amount: formatAmount(exchange.send_minor, exchange.send.decimals),
    receive_amount: formatAmount(exchange.payout_minor, exchange.receive.decimals),
    rate: displayRate(exchange),
    pay_by: exchange.pay_by.toISOString(),
    created_at: exchange.created_at.toISOString(),
    state_changed_at: exchange.state_changed_at.toISOString(),
    unread: exchange.unread_by_customer,
  };
}

export function exchangeView(
  exchange: Exchange,
  parts: Parts & { readonly facts: Facts; readonly toleranceMinor: bigint },
): ExchangeView {
  const { facts, proofs, records, events, messages, toleranceMinor } = parts;
  const allowed = allowedTo('customer', facts);
  const missing = missingMinor(exchange, toleranceMinor);
  const missingText = formatAmount(missing, exchange.send.decimals);
  const { label, details, instructions } = exchange.payee;
  const qr = missing > 0n ? qrOf(exchange.payee, missingText, exchange.transfer_reference) : null;
  return {
    ...summaryOf(exchange),
    version: exchange.version,
    ...breakdownOf(exchange, exchange),
    ...sharedRecordsView(exchange, records, toleranceMinor),
    messages: messages.map(messageView),
    evidence: exchange.evidence,
    missing_amount: missingText,
    payee: { label, details, instructions, qr },
    transfer_reference: exchange.transfer_reference,
    payout_fields: lines(exchange.payout_fields),
    payment_reference: exchange.payment_reference,
    payout_reference: sentPayout(records)?.reference ?? null,
    closed_reason: exchange.closed_reason,
    submitted_at: exchange.submitted_at?.toISOString() ?? null,
    undo_until: allowed.includes('undo') ? undoUntil(exchange, facts.undoMinutes) : null,
    completed_at: exchange.completed_at?.toISOString() ?? null,
    proofs: proofs.map(proofView),
    timeline: timelineOf(events, records),
    allowed: customerActions.filter((action) => allowed.includes(action)),
    server_time: facts.now.toISOString(),
  };
}

/** For the status link: without names and free text. */
export function statusView(exchange: Exchange, events: readonly ExchangeEvent[]): ExchangeStatus {
  const timeline = timelineOf(events, null).map(({ action, to_state, at }) => ({
    action,
    to_state,
    at,
  }));
  return { ...summaryOf(exchange), timeline };
}

/** Without the marks that only operators need. */
export function lines(answers: readonly { label: string; value: string }[]) {
  return answers.map(({ label, value }) => ({ label, value }));
}

function undoUntil({ submitted_at, pay_by }: Exchange, undoMinutes: number): string | null {
  if (submitted_at === null) return null;
  const window = submitted_at.getTime() + undoMinutes * MINUTE;
  return new Date(Math.min(window, pay_by.getTime())).toISOString();
}

/** Consecutive claims are one event for the customer. */
function timelineOf(events: readonly ExchangeEvent[], records: Records | null): TimelineEvent[] {
  const shown = events.filter((event) => isOnTimeline(event));
  return shown
    .filter((event, index) => event.action !== 'claim' || shown[index - 1]?.action !== 'claim')
    .map((event) => ({
      action: event.action,
      to_state: event.to_state,
      by:
        event.actor_kind === 'customer'
          ? 'you'
          : event.actor_kind === 'operator'
            ? 'desk'
            : 'system',
      reason: event.reason ?? (records && wordsAt(records, event)),
      at: event.at.toISOString(),
    }));
}
