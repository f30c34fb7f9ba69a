/** The desk's timeline in words. An action of a later release is shown by its own name. */
import type { DeskExchangeDetail, OperatorAction } from '@cambist/contract/desk';
import type { Difference } from '@cambist/contract/exchange-records';
import { stateWords } from '#lib/console/words.ts';
import { nowByMinute } from '#lib/format/clock.svelte.ts';
import { relativeTime } from '#lib/format/duration.ts';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';
import type { Tone } from '#lib/ui/Tag.svelte';
import { claimedAt, type DeskEvent, type Obstacle } from './actions.ts';

/** On buttons and in the help. */
export const actionWords: Record<OperatorAction, () => string> = {
  claim: m.admin_act_claim,
  release: m.admin_act_release,
  approve: m.admin_act_approve,
  reject: m.ui_reject,
  record_receipt: m.admin_act_record_receipt,
  reverse_receipt: m.admin_act_reverse_receipt,
  ask: m.admin_act_ask,
  refund: m.admin_act_refund,
  pay_refund: m.admin_act_pay_refund,
  return_refund: m.admin_act_return_refund,
  record_late_receipt: m.admin_act_record_late_receipt,
  reopen: m.admin_act_reopen,
  complete: m.admin_act_complete,
  note: m.ui_note,
};

/** What is done with a difference of the received amount. */
export const differenceWords: Record<Difference, () => string> = {
  recalculate_locked: m.admin_decide_locked,
  recalculate_current: m.admin_decide_current,
  refund_excess: m.admin_decide_refund_excess,
};

type Words = (inputs: { name: string }) => string;

const byOperator: Record<string, Words> = {
  claim: m.admin_event_claim,
  release: m.admin_event_release,
  approve: m.admin_event_approve,
  reject: m.admin_event_reject,
  complete: m.admin_event_complete,
  note: m.ui_note_by,
  record_receipt: m.admin_event_record_receipt,
  reverse_receipt: m.admin_event_reverse_receipt,
  ask: m.admin_event_ask,
  first_approve: m.admin_event_first_approve,
  refund: m.admin_event_refund,
  pay_refund: m.admin_event_pay_refund,
  return_refund: m.admin_event_return_refund,
  record_late_receipt: m.admin_event_record_late_receipt,
  reopen: m.admin_event_reopen,
};

const others: Record<string, () => string> = {
  create: m.admin_event_create,
  upload_proof: m.admin_event_upload_proof,
  submit: m.admin_event_submit,
  undo: m.admin_event_undo,
  cancel: m.admin_event_cancel,
  expire: m.admin_event_expire,
  answer: m.admin_event_answer,
  answer_overdue: m.admin_event_answer_overdue,
  change_payout: m.admin_event_change_payout,
  set_refund_account: m.admin_event_set_refund_account,
};

export function eventTitle({ action, by, actor, from_state }: DeskEvent): string {
  const name = actor ?? m.admin_event_someone();
  if (by === 'system' && action === 'submit') return m.admin_event_submit_by_system();
  if (action === 'claim' && from_state === 'approved') return m.admin_event_claim_payout({ name });
  return byOperator[action]?.({ name }) ?? others[action]?.() ?? action.replaceAll('_', ' ');
}

const turns: Record<string, () => string> = {
  create: m.admin_header_created,
  submit: m.admin_header_paid,
  cancel: m.exchange_state_cancelled,
  expire: m.exchange_state_expired,
  approve: m.exchange_state_approved,
  reject: m.exchange_state_rejected,
  complete: m.exchange_state_completed,
};

/** What happened, without by whom: it stands before how long ago that was. */
export function turnWord(event: DeskEvent): string {
  return turns[event.action]?.() ?? eventTitle(event);
}

const tones: Record<string, Tone> = {
  claim: 'waiting',
  release: 'neutral',
  ask: 'waiting',
  answer_overdue: 'waiting',
  first_approve: 'waiting',
  reopen: 'waiting',
  return_refund: 'waiting',
  refund: 'waiting',
  reverse_receipt: 'neutral',
  note: 'neutral',
  undo: 'neutral',
  reject: 'refused',
  cancel: 'refused',
  expire: 'refused',
};

export function eventTone({ action }: DeskEvent): Tone {
  return tones[action] ?? 'done';
}

/** Why an action is not possible, in a sentence that says what is. */
export function obstacleWords(
  obstacle: Obstacle,
  { claim, state, timeline }: Pick<DeskExchangeDetail, 'claim' | 'state' | 'timeline'>,
): string {
  const name = claim?.by ?? '';
  switch (obstacle) {
    case 'own_exchange':
      return m.admin_obstacle_own_exchange();
    case 'claimed_by_other': {
      if (state !== 'approved') return m.admin_obstacle_claimed_by_other({ name });
      const ago = relativeTime(claimedAt(timeline), nowByMinute(), getLocale());
      return m.admin_obstacle_being_paid_out({ name, ago });
    }
    case 'claim_first':
      return m.admin_obstacle_claim_first();
    case 'payout_waits':
      return m.admin_obstacle_payout_waits();
    case 'not_in_this_state':
      return m.admin_obstacle_not_in_this_state({ state: stateWords[state]() });
  }
}
