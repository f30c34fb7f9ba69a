/** An exchange's states and events for its customer: names, colours and what happens next. */
import { closedStates, openStates } from '@cambist/contract/exchange-groups';
import type { Exchange, ExchangeState, TimelineEvent } from '@cambist/contract/exchanges';
import { m } from '#lib/paraglide/messages.js';
import type { Tone } from '#lib/ui/Tag.svelte';

interface StateWords {
  readonly name: () => string;
  readonly tone: Tone;
  readonly title: () => string;
  readonly text: () => string;
}

const words: Readonly<Record<ExchangeState, StateWords>> = {
  awaiting_payment: {
    name: m.exchange_state_awaiting_payment,
    tone: 'waiting',
    title: m.exchange_next_awaiting_payment,
    text: m.exchange_next_awaiting_payment_text,
  },
  payment_submitted: {
    name: m.exchange_state_payment_submitted,
    tone: 'waiting',
    title: m.exchange_next_payment_submitted,
    text: m.exchange_next_payment_submitted_text,
  },
  under_review: {
    name: m.exchange_state_under_review,
    tone: 'waiting',
    title: m.exchange_next_under_review,
    text: m.exchange_next_under_review_text,
  },
  on_hold: {
    name: m.exchange_state_on_hold,
    tone: 'waiting',
    title: m.exchange_next_on_hold,
    text: m.exchange_next_on_hold_text,
  },
  approved: {
    name: m.exchange_state_approved,
    tone: 'done',
    title: m.exchange_next_approved,
    text: m.exchange_next_approved_text,
  },
  completed: {
    name: m.exchange_state_completed,
    tone: 'done',
    title: m.exchange_next_completed,
    text: m.exchange_next_completed_text,
  },
  cancelled: {
    name: m.exchange_state_cancelled,
    tone: 'neutral',
    title: m.exchange_next_cancelled,
    text: m.exchange_next_cancelled_text,
  },
  expired: {
    name: m.exchange_state_expired,
    tone: 'neutral',
    title: m.exchange_next_expired,
    text: m.exchange_next_expired_text,
  },
  rejected: {
    name: m.exchange_state_rejected,
    tone: 'refused',
    title: m.exchange_next_rejected,
    text: m.exchange_next_rejected_text,
  },
  refund_pending: {
    name: m.exchange_state_refund_pending,
    tone: 'waiting',
    title: m.exchange_next_refund_pending,
    text: m.exchange_next_refund_pending_text,
  },
  refunded: {
    name: m.exchange_state_refunded,
    tone: 'neutral',
    title: m.exchange_next_refunded,
    text: m.exchange_next_refunded_text,
  },
};

export function stateWords(state: ExchangeState): StateWords {
  return words[state];
}

export const isOwing = ({ missing_amount }: Exchange) => /[1-9]/.test(missing_amount);

/** That the payout came back; an excess that came back is no such event. */
export const returnedPayout = ({ state, timeline }: Exchange) =>
  state === 'approved' ? timeline.findLast(({ action }) => action === 'reopen') : undefined;

/** What happens next; a transfer on a blockchain has no reference. */
export function nextWords(exchange: Exchange): Pick<StateWords, 'title' | 'text'> {
  const { state, send, allowed } = exchange;
  if (returnedPayout(exchange)) {
    const isFree = allowed.includes('change_payout');
    const text = isFree ? m.exchange_next_returned_text : m.exchange_next_returned_locked;
    return { title: m.exchange_next_returned, text };
  }
  if (state !== 'awaiting_payment') return words[state];
  if (!isOwing(exchange))
    return { title: m.exchange_next_received, text: m.exchange_next_received_text };
  return send.kind === 'chain'
    ? { ...words[state], text: m.exchange_next_awaiting_payment_text_chain }
    : words[state];
}

/** Final states. */
export function isOver(state: ExchangeState): boolean {
  return !openStates.some((open) => open === state);
}

/** States in which nothing is paid out, so no page may promise a payout. */
export function isWithoutPayout(state: ExchangeState): boolean {
  return state === 'refund_pending' || closedStates.some((closed) => closed === state);
}

const events: Readonly<Record<string, () => string>> = {
  create: m.exchange_event_create,
  upload_proof: m.exchange_event_upload_proof,
  undo: m.exchange_event_undo,
  cancel: m.exchange_event_cancel,
  expire: m.exchange_event_expire,
  claim: m.exchange_event_claim,
  approve: m.exchange_event_approve,
  reject: m.exchange_event_reject,
  complete: m.exchange_event_complete,
  record_receipt: m.exchange_event_record_receipt,
  reverse_receipt: m.exchange_event_reverse_receipt,
  ask: m.exchange_event_ask,
  answer: m.exchange_event_answer,
  answer_overdue: m.exchange_event_answer_overdue,
  change_payout: m.exchange_event_change_payout,
  refund: m.exchange_event_refund,
  set_refund_account: m.exchange_event_set_refund_account,
  pay_refund: m.exchange_event_pay_refund,
  return_refund: m.exchange_event_return_refund,
  record_late_receipt: m.exchange_event_record_late_receipt,
  reopen: m.exchange_event_reopen,
};

/** An unknown action is described by the state it led to. */
export function eventWords({ action, by, to_state }: TimelineEvent): string {
  if (action === 'submit') {
    return by === 'system' ? m.exchange_event_submit_system() : m.exchange_event_submit_you();
  }
  return events[action]?.() ?? m.exchange_event_other({ state: words[to_state].name() });
}

/** The colour of an event: that of the state it led to, once that is final. */
export function eventTone({ action, to_state }: Pick<TimelineEvent, 'action' | 'to_state'>): Tone {
  if (action === 'reject' || action === 'expire' || action === 'cancel')
    return words[to_state].tone;
  return 'done';
}
