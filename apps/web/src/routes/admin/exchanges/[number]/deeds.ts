/**
 * What an operator may do with the open exchange, and if not, why not. The
 * service decides (`allowed`); this only finds the words for what it refused.
 */
import type { DeskExchangeDetail, OperatorAction } from '@cambist/contract/desk';

export type Obstacle =
  | 'own_exchange'
  | 'claimed_by_other'
  | 'claim_first'
  | 'claim_lapsed'
  | 'not_in_this_state';

export interface Deed {
  readonly action: OperatorAction;
  /** Null where it may be done now. */
  readonly obstacle: Obstacle | null;
}

type Facts = Pick<DeskExchangeDetail, 'state' | 'claim' | 'allowed' | 'warnings'>;

/** The deeds that make sense in this state, in the order of the bar; a note always does. */
export function deedsOf(facts: Facts): Deed[] {
  return [...decisions(facts), 'note' as const].map((action) => ({
    action,
    obstacle: obstacleTo(action, facts),
  }));
}

/** Null where it may be done now; also for actions that the bar does not show. */
export function obstacleTo(action: OperatorAction, facts: Facts): Obstacle | null {
  if (facts.allowed.includes(action)) return null;
  const isDecision = decisions(facts).includes(action);
  if (facts.claim !== null && !facts.claim.mine && (isDecision || action === 'claim')) {
    return 'claimed_by_other';
  }
  if (!isDecision) return 'not_in_this_state';
  if (facts.warnings.includes('own_exchange')) return 'own_exchange';
  if (action === 'approve' || action === 'reject') {
    return facts.state === 'under_review' ? 'claim_lapsed' : 'claim_first';
  }
  return 'not_in_this_state';
}

function decisions({ state, claim, allowed }: Facts): OperatorAction[] {
  if (state === 'payment_submitted') return ['claim', 'approve', 'reject'];
  const holds = claim?.mine === true && allowed.includes('release');
  if (state === 'under_review') {
    return ['approve', 'reject', holds ? 'release' : 'claim'];
  }
  // To pay out is to claim it first, which the press does by itself.
  if (state === 'approved') return holds ? ['complete', 'release'] : ['complete'];
  return [];
}

/** When the claim was taken that stands, in epoch milliseconds; to renew it is no event. */
export function claimedAt(timeline: DeskExchangeDetail['timeline']): number {
  return Date.parse(timeline.findLast(({ action }) => action === 'claim')?.at ?? '');
}
