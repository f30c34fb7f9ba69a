/** Pure: the guards of the table of actions, each with its refusal. */
import type { ExchangeState } from '@cambist/contract/exchanges';
import { MINUTE } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';

export const maxProofs = 5;

export interface Facts {
  /** The database's time, read after the row was locked. */
  readonly now: Date;
  readonly actorId: Id | null;
  readonly exchange: {
    readonly state: ExchangeState;
    readonly user_id: Id;
    readonly evidence: 'proof' | 'reference' | 'either';
    readonly pay_by: Date;
    readonly submitted_at: Date | null;
    readonly undone_at: Date | null;
    readonly claimed_by: Id | null;
    readonly claimed_until: Date | null;
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
  has_proof: {
    passes: ({ proofCount }) => proofCount > 0,
    code: 'evidence_missing',
    sentence: 'A proof of payment is needed.',
  },
  // The reference comes with the submission, the proof before it.
  proof_if_asked: {
    passes: ({ exchange, proofCount }) => exchange.evidence !== 'proof' || proofCount > 0,
    code: 'evidence_missing',
    sentence: 'Upload a proof of payment first.',
  },
  no_proof: {
    passes: ({ proofCount }) => proofCount === 0,
    code: 'state_conflict',
    sentence: 'A proof of payment has been uploaded.',
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
    passes: (facts) => facts.exchange.claimed_by === facts.actorId && claimIsLive(facts),
    code: 'not_claimed',
    sentence: 'Claim this exchange first: your claim is missing or has lapsed.',
  },
  not_own: {
    passes: ({ exchange, actorId }) => exchange.user_id !== actorId,
    code: 'own_exchange',
    sentence: 'You cannot decide your own exchange. Ask another operator.',
  },
} as const satisfies Record<string, Guard>;
export type GuardName = keyof typeof guards;
