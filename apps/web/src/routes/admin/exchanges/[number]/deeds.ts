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
  if (!decisions(facts).includes(action)) return 'not_in_this_state';
  if (facts.claim !== null && !facts.claim.mine) return 'claimed_by_other';
  if (facts.warnings.includes('own_exchange')) return 'own_exchange';
  if (action === 'approve' || action === 'reject') {
    return facts.state === 'under_review' ? 'claim_lapsed' : 'claim_first';
  }
  return 'not_in_this_state';
}

function decisions({ state, claim, allowed }: Facts): OperatorAction[] {
  if (state === 'payment_submitted') return ['claim', 'approve', 'reject'];
  if (state === 'under_review') {
    const holds = claim?.mine === true && allowed.includes('release');
    return ['approve', 'reject', holds ? 'release' : 'claim'];
  }
  if (state === 'approved') return ['complete'];
  return [];
}
