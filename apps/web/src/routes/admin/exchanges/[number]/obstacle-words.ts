/** Why a deed cannot be done now, in a sentence that says what can. */
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import { stateWord } from '#lib/admin/state-words.ts';
import { nowByMinute } from '#lib/format/clock.svelte.ts';
import { relativeTime } from '#lib/format/duration.ts';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';
import { claimedAt, type Obstacle } from './deeds.ts';

export function obstacleWords(
  obstacle: Obstacle,
  detail: Pick<DeskExchangeDetail, 'claim' | 'state' | 'timeline'>,
): string {
  const { claim, state } = detail;
  switch (obstacle) {
    case 'own_exchange':
      return m.admin_obstacle_own_exchange();
    case 'claimed_by_other':
      return state === 'approved'
        ? m.admin_obstacle_being_paid_out({
            name: claim?.by ?? '',
            ago: relativeTime(claimedAt(detail.timeline), nowByMinute(), getLocale()),
          })
        : m.admin_obstacle_claimed_by_other({ name: claim?.by ?? '' });
    case 'claim_first':
      return m.admin_obstacle_claim_first();
    case 'claim_lapsed':
      return m.admin_obstacle_claim_lapsed();
    case 'not_in_this_state':
      return m.admin_obstacle_not_in_this_state({ state: stateWord(state) });
  }
}
