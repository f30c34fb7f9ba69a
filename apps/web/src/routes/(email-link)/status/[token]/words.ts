/** The states and events of an exchange for anyone who has its status link, customer or not. */
import type { ExchangeState } from '@cambist/contract/exchanges';
import type { ExchangeStatus } from '@cambist/contract/status-link';
import { m } from '#lib/paraglide/messages.js';
import { stateWords } from '#lib/exchange/state-words.ts';

const texts: Readonly<Record<ExchangeState, () => string>> = {
  awaiting_payment: m.exchange_shared_awaiting_payment,
  payment_submitted: m.exchange_shared_payment_submitted,
  under_review: m.exchange_shared_under_review,
  on_hold: m.exchange_shared_on_hold,
  approved: m.exchange_shared_approved,
  completed: m.exchange_shared_completed,
  cancelled: m.exchange_shared_cancelled,
  expired: m.exchange_shared_expired,
  rejected: m.exchange_shared_rejected,
  refund_pending: m.exchange_shared_refund_pending,
  refunded: m.exchange_shared_refunded,
};

export function sharedStateWords(state: ExchangeState): { name: string; text: string } {
  // "Question for you" is for the customer only.
  const name = state === 'on_hold' ? m.exchange_shared_on_hold_name() : stateWords(state).name();
  return { name, text: texts[state]() };
}

const events: Readonly<Record<string, () => string>> = {
  create: m.exchange_shared_event_create,
  upload_proof: m.exchange_shared_event_upload_proof,
  submit: m.exchange_shared_event_submit,
  undo: m.exchange_shared_event_undo,
  cancel: m.exchange_shared_event_cancel,
  expire: m.exchange_event_expire,
  claim: m.exchange_event_claim,
  approve: m.exchange_event_approve,
  reject: m.exchange_event_reject,
  complete: m.exchange_event_complete,
};

/** An unknown action is described by the state it led to. */
export function sharedEventWords({ action, to_state }: ExchangeStatus['timeline'][number]): string {
  return events[action]?.() ?? m.exchange_event_other({ state: sharedStateWords(to_state).name });
}
