/** How the desk names an exchange's state, and its colour. */
import type { ExchangeState } from '@cambist/contract/exchanges';
import { m } from '#lib/paraglide/messages.js';
import type { Tone } from '#lib/ui/Tag.svelte';

const words: Record<ExchangeState, () => string> = {
  awaiting_payment: m.admin_state_awaiting_payment,
  payment_submitted: m.admin_state_payment_submitted,
  under_review: m.admin_state_under_review,
  on_hold: m.admin_state_on_hold,
  approved: m.admin_state_approved,
  completed: m.admin_state_completed,
  cancelled: m.admin_state_cancelled,
  expired: m.admin_state_expired,
  rejected: m.admin_state_rejected,
  refund_pending: m.admin_state_refund_pending,
  refunded: m.admin_state_refunded,
};

const tones: Record<ExchangeState, Tone> = {
  awaiting_payment: 'neutral',
  payment_submitted: 'waiting',
  under_review: 'waiting',
  on_hold: 'waiting',
  approved: 'waiting',
  completed: 'done',
  cancelled: 'neutral',
  expired: 'neutral',
  rejected: 'refused',
  refund_pending: 'waiting',
  refunded: 'neutral',
};

export function stateWord(state: ExchangeState): string {
  return words[state]();
}

export function stateTone(state: ExchangeState): Tone {
  return tones[state];
}
