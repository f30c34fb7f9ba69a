/** Pure: the guards of the table of actions, each with its refusal. */
import type { ExchangeState } from '@cambist/contract/exchanges';
import { MINUTE } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { openRefunds, unsettledReceipts, type Records } from './records.ts';

export const maxProofs = 5;

export interface Facts {
  /** The database's time, read after the row was locked. */
  readonly now: Date;
  readonly actorId: Id | null;
  readonly permissions: readonly string[];
  readonly records: Records;
  readonly exchange: {
    readonly state: ExchangeState;
    readonly user_id: Id;
    readonly evidence: 'proof' | 'reference' | 'either';
    readonly pay_by: Date;
    readonly submitted_at: Date | null;
    readonly undone_at: Date | null;
    readonly claimed_by: Id | null;
    readonly claimed_until: Date | null;
    readonly received_minor: bigint;
    readonly approved_by: Id | null;
    readonly first_approved_by: Id | null;
    readonly payout_waits_until: Date | null;
    readonly complete_on_approval: boolean;
  };
  readonly proofCount: number;
  readonly undoMinutes: number;
}

export interface Guard {
  readonly passes: (facts: Facts) => boolean;
  readonly code: string;
  readonly sentence: string;
}

export const claimIsLive = ({ exchange, now }: Facts) =>
  exchange.claimed_until !== null && exchange.claimed_until > now;

/** The first of two approvals, while it lasts and until the exchange is approved. */
export function firstApproval({ records, now }: Pick<Facts, 'records' | 'now'>) {
  const last = records.approvals.at(-1);
  return last?.until !== null && last !== undefined && last.until > now ? last : null;
}

const holdsClaim = (facts: Facts) =>
  facts.exchange.claimed_by === facts.actorId && claimIsLive(facts);

const isFree = (facts: Facts) => facts.exchange.claimed_by === facts.actorId || !claimIsLive(facts);

export const guards = {
  before_pay_by: {
    passes: ({ exchange, now }) => now < exchange.pay_by,
    code: 'payment_overdue',
    sentence: 'The time to pay is over.',
  },
  past_pay_by: {
    passes: ({ exchange, now }) => now >= exchange.pay_by,
    code: 'state_conflict',
    sentence: 'The time to pay is not over yet.',
  },
  has_evidence: {
    passes: ({ proofCount, exchange }) => proofCount > 0 || exchange.received_minor > 0n,
    code: 'evidence_missing',
    sentence: 'A proof of payment is needed.',
  },
  // The reference comes with the submission, the proof before it.
  proof_if_asked: {
    passes: ({ exchange, proofCount }) => exchange.evidence !== 'proof' || proofCount > 0,
    code: 'evidence_missing',
    sentence: 'Upload a proof of payment first.',
  },
  no_evidence: {
    passes: ({ proofCount, exchange }) => proofCount === 0 && exchange.received_minor === 0n,
    code: 'state_conflict',
    sentence: 'A proof of payment or a payment is there.',
  },
  no_receipt: {
    passes: ({ exchange }) => exchange.received_minor === 0n,
    code: 'receipt_stands',
    sentence: 'Money was received for this exchange: it must be refunded.',
  },
  has_receipt: {
    passes: ({ exchange }) => exchange.received_minor > 0n,
    code: 'nothing_received',
    sentence: 'No money was received for this exchange.',
  },
  receipt_unsettled: {
    passes: (facts) => unsettledReceipts(facts.records, facts.exchange.state).length > 0,
    code: 'receipt_settled',
    sentence: 'This receipt is part of the decision already.',
  },
  payable_still: {
    passes: ({ exchange, now }) => exchange.state !== 'awaiting_payment' || now < exchange.pay_by,
    code: 'exchange_not_payable',
    sentence: 'The time to pay is over, so no proof can be added.',
  },
  proofs_left: {
    passes: ({ proofCount }) => proofCount < maxProofs,
    code: 'too_many_proofs',
    sentence: `An exchange takes at most ${maxProofs} proofs.`,
  },
  undo_once: {
    passes: ({ exchange }) => exchange.undone_at === null,
    code: 'undo_window_closed',
    sentence: 'A submission can be undone only once.',
  },
  // Past pay_by the undone exchange would expire within the minute.
  undo_window: {
    passes: ({ exchange, now, undoMinutes }) =>
      exchange.submitted_at !== null &&
      // An operator who asked keeps the claim when the answer comes.
      (exchange.claimed_until === null || exchange.claimed_until <= now) &&
      now.getTime() < exchange.submitted_at.getTime() + undoMinutes * MINUTE &&
      now < exchange.pay_by,
    code: 'undo_window_closed',
    sentence: 'The time to undo the submission is over.',
  },
  claim_free: {
    passes: isFree,
    code: 'already_claimed',
    sentence: 'Another operator is reviewing this exchange.',
  },
  payout_free: {
    passes: isFree,
    code: 'already_claimed',
    sentence: 'Another operator is paying this exchange out.',
  },
  claim_mine: {
    passes: ({ exchange, actorId }) => exchange.claimed_by === actorId,
    code: 'not_claimed',
    sentence: 'You do not hold the claim on this exchange.',
  },
  claim_live: {
    passes: holdsClaim,
    code: 'not_claimed',
    sentence: 'Claim this exchange first: your claim is missing or has lapsed.',
  },
  claim_live_or_second: {
    passes: (facts) => {
      const first = firstApproval(facts);
      const isSecond = first !== null && first.approved_by !== facts.actorId && isFree(facts);
      return isSecond || holdsClaim(facts);
    },
    code: 'not_claimed',
    sentence: 'Claim this exchange first: your claim is missing or has lapsed.',
  },
  question_open: {
    passes: ({ records }) => records.questions.at(-1)?.state === 'open',
    code: 'state_conflict',
    sentence: 'No question is open.',
  },
  question_due: {
    passes: ({ records, now }) =>
      records.questions.some(({ state, answer_by }) => state === 'open' && answer_by <= now),
    code: 'state_conflict',
    sentence: 'The time to answer is not over yet.',
  },
  // Whoever changed the account with a stolen session may also know one operator.
  payout_due: {
    passes: ({ exchange, actorId, now }) =>
      exchange.payout_waits_until === null ||
      exchange.payout_waits_until <= now ||
      (exchange.approved_by !== actorId && exchange.first_approved_by !== actorId),
    code: 'payout_waits',
    sentence:
      'The payout account was changed, so the payout waits. An operator who did not approve may pay it out now.',
  },
  // Where the approval pays out, the operator may be sending it under the review's claim.
  payout_unclaimed: {
    passes: (facts) => {
      const { state, complete_on_approval } = facts.exchange;
      const isPayout = state === 'approved' || (state === 'under_review' && complete_on_approval);
      return !isPayout || !claimIsLive(facts);
    },
    code: 'payout_claimed',
    sentence: 'The payout is being sent, so its account cannot be changed any more.',
  },
  payout_sent: {
    passes: ({ records }) => records.payouts.some(({ state }) => state === 'sent'),
    code: 'state_conflict',
    sentence: 'No payout was sent.',
  },
  refund_open: {
    passes: ({ records }) => openRefunds(records).length > 0,
    code: 'state_conflict',
    sentence: 'No refund is open.',
  },
  refund_paid: {
    passes: ({ records }) => records.refunds.some(({ state }) => state === 'paid'),
    code: 'state_conflict',
    sentence: 'No refund was paid.',
  },
  may_move_money: {
    passes: ({ permissions }) => permissions.includes('money'),
    code: 'permission_missing',
    sentence: 'This needs the permission "money".',
  },
  not_own: {
    passes: ({ exchange, actorId }) => exchange.user_id !== actorId,
    code: 'own_exchange',
    sentence: 'You cannot decide your own exchange. Ask another operator.',
  },
} as const satisfies Record<string, Guard>;
export type GuardName = keyof typeof guards;
