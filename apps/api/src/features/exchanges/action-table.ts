/**
 * The table of actions on an exchange, with states, actors and guards. The buttons, the transitions,
 * `docs/exchange-states.md` and the tests use it.
 */
import { exchangeStates, type ExchangeState } from '@cambist/contract/exchanges';
import type { GuardName } from './guards.ts';

export type Who = 'customer' | 'operator' | 'system';

export interface ActionRow {
  readonly action: string;
  /** Empty for the creation. */
  readonly from: readonly ExchangeState[];
  readonly to: ExchangeState | 'same';
  /** Other states that the action can lead to. */
  readonly orTo?: readonly ExchangeState[];
  readonly who: Who;
  readonly guards?: readonly GuardName[];
  /** Inside the action, which need the request or other tables; named for the documentation. */
  readonly checks?: readonly string[];
  /** Not on the customer's timeline. */
  readonly hidden?: true;
  /** Conflicts with no other action, so that the version stays. */
  readonly keepsVersion?: true;
  /** The code in another state; `state_conflict` by default. */
  readonly conflict?: string;
}

const inReview = ['payment_submitted', 'under_review', 'on_hold'] as const;
const undecided = ['awaiting_payment', ...inReview] as const;
const decided = ['approved', 'completed', 'refund_pending', 'refunded'] as const;
const reversal = {
  who: 'operator',
  action: 'reverse_receipt',
  checks: ['reason_given', 'receipt_recorded'],
} as const;
const refund = {
  who: 'operator',
  action: 'refund',
  to: 'refund_pending',
  checks: ['ledger_balanced', 'reason_given', 'charge_below_amount'],
} as const;
const refundPayment = {
  who: 'operator',
  action: 'pay_refund',
  guards: ['not_own', 'refund_open'],
  checks: ['ledger_balanced', 'account_known'],
} as const;
const refundReturn = {
  who: 'operator',
  action: 'return_refund',
  guards: ['not_own', 'refund_paid'],
  checks: ['reason_given'],
} as const;
const payment = ['positive_amount', 'reference_unused'] as const;

export const actions = [
  {
    action: 'create',
    from: [],
    to: 'awaiting_payment',
    who: 'customer',
    checks: [
      'address_confirmed',
      'quote_redeemable',
      'pair_active',
      'within_limits',
      'answers_valid',
      'terms_accepted',
      'few_open_exchanges',
      'reserve_covers',
    ],
  },
  {
    action: 'upload_proof',
    from: undecided,
    to: 'same',
    who: 'customer',
    guards: ['payable_still', 'proofs_left'],
    keepsVersion: true,
    conflict: 'exchange_not_payable',
  },
  {
    action: 'submit',
    from: ['awaiting_payment'],
    to: 'payment_submitted',
    who: 'customer',
    guards: ['before_pay_by', 'proof_if_asked'],
    checks: ['evidence_as_asked'],
  },
  {
    action: 'undo',
    from: ['payment_submitted'],
    to: 'awaiting_payment',
    who: 'customer',
    guards: ['undo_once', 'undo_window'],
  },
  {
    action: 'cancel',
    from: ['awaiting_payment'],
    to: 'cancelled',
    who: 'customer',
    guards: ['no_receipt'],
  },
  {
    action: 'submit',
    from: ['awaiting_payment'],
    to: 'payment_submitted',
    who: 'system',
    guards: ['past_pay_by', 'has_evidence'],
  },
  {
    action: 'expire',
    from: ['awaiting_payment'],
    to: 'expired',
    who: 'system',
    guards: ['past_pay_by', 'no_evidence'],
  },
  {
    action: 'claim',
    from: inReview,
    to: 'under_review',
    who: 'operator',
    guards: ['claim_free'],
  },
  {
    action: 'release',
    from: ['under_review'],
    to: 'payment_submitted',
    who: 'operator',
    guards: ['claim_mine'],
    hidden: true,
  },
  {
    action: 'claim',
    from: ['approved'],
    to: 'same',
    who: 'operator',
    guards: ['not_own', 'payout_free'],
    hidden: true,
    keepsVersion: true,
  },
  {
    action: 'release',
    from: ['approved'],
    to: 'same',
    who: 'operator',
    guards: ['claim_mine'],
    hidden: true,
    keepsVersion: true,
  },
  {
    action: 'record_receipt',
    from: [...undecided, ...decided],
    to: 'same',
    who: 'operator',
    guards: ['not_own'],
    checks: payment,
  },
  { ...reversal, from: undecided, to: 'same', guards: ['not_own', 'has_receipt'] },
  {
    ...reversal,
    from: ['approved', 'completed', 'refunded'],
    to: 'same',
    guards: ['not_own', 'receipt_unsettled'],
  },
  {
    ...reversal,
    from: ['refund_pending'],
    to: 'same',
    orTo: ['refunded', 'cancelled', 'expired', 'rejected'],
    guards: ['not_own', 'receipt_unsettled'],
  },
  {
    action: 'ask',
    from: ['payment_submitted', 'under_review'],
    to: 'on_hold',
    who: 'operator',
    guards: ['claim_free'],
  },
  {
    action: 'answer',
    from: ['on_hold'],
    to: 'payment_submitted',
    who: 'customer',
    guards: ['question_open'],
    checks: ['words_or_new_proof'],
  },
  {
    action: 'answer_overdue',
    from: ['on_hold'],
    to: 'payment_submitted',
    who: 'system',
    guards: ['question_due'],
  },
  {
    action: 'approve',
    from: ['under_review'],
    to: 'approved',
    who: 'operator',
    guards: ['claim_live_or_second', 'not_own'],
    checks: ['ledger_balanced', 'amount_as_expected', 'rate_held', 'as_first_approved'],
  },
  {
    action: 'first_approve',
    from: ['under_review'],
    to: 'same',
    who: 'operator',
    guards: ['claim_live', 'not_own'],
    checks: ['ledger_balanced', 'amount_as_expected', 'rate_held'],
    hidden: true,
  },
  {
    action: 'reject',
    from: ['under_review', 'on_hold'],
    to: 'rejected',
    who: 'operator',
    guards: ['claim_live', 'not_own', 'no_receipt'],
    checks: ['reason_given'],
  },
  {
    action: 'complete',
    from: ['approved'],
    to: 'completed',
    who: 'operator',
    guards: ['not_own', 'payout_free', 'payout_due'],
    checks: ['ledger_balanced', 'payout_reference_unused'],
  },
  {
    action: 'change_payout',
    from: [...undecided, 'approved'],
    to: 'same',
    who: 'customer',
    guards: ['payout_unclaimed'],
    checks: ['answers_valid'],
  },
  {
    ...refund,
    from: ['under_review', 'on_hold'],
    guards: ['claim_live', 'not_own', 'has_receipt'],
  },
  { ...refund, from: ['approved'], guards: ['not_own', 'payout_free', 'has_receipt'] },
  {
    action: 'set_refund_account',
    from: exchangeStates,
    to: 'same',
    who: 'customer',
    guards: ['refund_open'],
  },
  { ...refundPayment, from: ['refund_pending'], to: 'refunded', orTo: ['refund_pending'] },
  { ...refundPayment, from: ['approved', 'completed', 'refunded'], to: 'same' },
  { ...refundReturn, from: ['refunded'], to: 'refund_pending' },
  { ...refundReturn, from: ['approved', 'completed', 'refund_pending'], to: 'same' },
  {
    action: 'record_late_receipt',
    from: ['cancelled', 'expired', 'rejected'],
    to: 'under_review',
    orTo: ['refund_pending'],
    who: 'operator',
    guards: ['not_own'],
    checks: [...payment, 'reserve_covers'],
  },
  {
    action: 'reopen',
    from: ['completed'],
    to: 'approved',
    who: 'operator',
    guards: ['may_move_money', 'not_own', 'payout_sent'],
    checks: ['ledger_balanced', 'reason_given'],
  },
  {
    action: 'note',
    from: exchangeStates,
    to: 'same',
    who: 'operator',
    hidden: true,
    keepsVersion: true,
  },
] as const satisfies readonly ActionRow[];

export type ActionName = (typeof actions)[number]['action'];
