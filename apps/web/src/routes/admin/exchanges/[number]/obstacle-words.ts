/** Why a deed cannot be done now, in a sentence that says what can. */
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import { apart } from '@cambist/markup/direction';
import { stateWord } from '#lib/admin/state-words.ts';
import { m } from '#lib/paraglide/messages.js';
import type { Obstacle } from './deeds.ts';

export function obstacleWords(
  obstacle: Obstacle,
  { claim, state }: Pick<DeskExchangeDetail, 'claim' | 'state'>,
): string {
  switch (obstacle) {
    case 'own_exchange':
      return m.admin_obstacle_own_exchange();
    case 'claimed_by_other':
      return m.admin_obstacle_claimed_by_other({ name: apart(claim?.by ?? '') });
    case 'claim_first':
      return m.admin_obstacle_claim_first();
    case 'claim_lapsed':
      return m.admin_obstacle_claim_lapsed();
    case 'not_in_this_state':
      return m.admin_obstacle_not_in_this_state({ state: stateWord(state) });
  }
}
