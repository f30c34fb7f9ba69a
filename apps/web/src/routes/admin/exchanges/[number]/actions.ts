/**
 * The actions on the open exchange, and why one is not possible. The service decides (`allowed`);
 * this finds the reason.
 */
import type { DeskExchangeDetail, OperatorAction } from '@cambist/contract/desk';

export type Obstacle =
  | 'own_exchange'
  | 'claimed_by_other'
  | 'claim_first'
  | 'payout_waits'
  | 'not_in_this_state';

export interface BarAction {
  readonly action: OperatorAction;
  /** Null where it is possible now. */
  readonly obstacle: Obstacle | null;
}

type Facts = Pick<DeskExchangeDetail, 'state' | 'claim' | 'allowed' | 'warnings'> &
  Partial<Pick<DeskExchangeDetail, 'payout_waits_until'>>;

/** The actions that make sense in this state, in the order of the bar; a note always does. */
export function actionsOf(facts: Facts): BarAction[] {
  return [...decisions(facts), 'note' as const].map((action) => ({
    action,
    obstacle: obstacleTo(action, facts),
  }));
}

/** Null where it is possible now; also for actions that the bar does not show. */
export function obstacleTo(action: OperatorAction, facts: Facts): Obstacle | null {
  if (facts.allowed.includes(action)) return null;
  const isDecision = decisions(facts).includes(action);
  if (facts.claim !== null && !facts.claim.mine && (isDecision || action === 'claim')) {
    return 'claimed_by_other';
  }
  if (!isDecision) return 'not_in_this_state';
  if (facts.warnings.includes('own_exchange')) return 'own_exchange';
  if (action === 'approve' || action === 'reject' || action === 'refund') {
    return 'claim_first';
  }
  if (action === 'complete' && facts.payout_waits_until) return 'payout_waits';
  return 'not_in_this_state';
}

/** The usual next steps of a state; the others that are allowed stand under "More". */
function decisions({ state, claim, allowed }: Facts): OperatorAction[] {
  const holds = claim?.mine === true && allowed.includes('release');
  // What money came for must be given back.
  const end = allowed.includes('refund') ? 'refund' : 'reject';
  switch (state) {
    case 'awaiting_payment':
      return ['record_receipt'];
    case 'payment_submitted':
      return ['claim', 'approve', end];
    case 'under_review':
      return ['approve', end, holds ? 'release' : 'claim'];
    case 'on_hold':
      return ['claim', end];
    // To pay out is to claim it first, which the press does by itself.
    case 'approved':
      return holds ? ['complete', 'release'] : ['complete'];
    case 'cancelled':
    case 'expired':
    case 'rejected':
      return ['record_late_receipt'];
    default:
      return allowed.includes('pay_refund') ? ['pay_refund'] : [];
  }
}

/** What else can be done now. */
export function moreActions(facts: Facts): OperatorAction[] {
  const shown = new Set([...decisions(facts), 'note']);
  return facts.allowed.filter((action) => !shown.has(action));
}

/** When the present claim was taken, in epoch milliseconds; to renew it is no event. */
export function claimedAt(timeline: DeskExchangeDetail['timeline']): number {
  return Date.parse(timeline.findLast(({ action }) => action === 'claim')?.at ?? '');
}

export type DeskEvent = DeskExchangeDetail['timeline'][number];

/** Actions of the desk around an exchange, and its files, leave its state as it is. */
const beside = new Set(['claim', 'release', 'note', 'upload_proof', 'first_approve']);

/** The last event that changed the state; `timeline` is oldest first. */
export function lastTurn(timeline: readonly DeskEvent[]): DeskEvent | null {
  return timeline.findLast(({ action }) => !beside.has(action)) ?? null;
}
