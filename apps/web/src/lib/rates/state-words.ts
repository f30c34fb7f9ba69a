/** Whether a pair has prices now, and why not, for lists, its own page and the converter. */
import type { RateState } from '@cambist/contract/pair-terms';
import { m } from '#lib/paraglide/messages.js';
import type { Tone } from '#lib/ui/Tag.svelte';

export interface PublicState {
  readonly state: RateState;
  /** Its rate moved so far that the desk checks it; only with `stale`. */
  readonly checking: boolean;
}

const looks: Record<RateState | 'checking', { tone: Tone; word: () => string }> = {
  live: { tone: 'done', word: m.site_rate_state_live },
  delayed: { tone: 'waiting', word: m.site_rate_state_delayed },
  stale: { tone: 'refused', word: m.site_rate_state_stale },
  checking: { tone: 'refused', word: m.site_rate_state_checking },
  closed: { tone: 'neutral', word: m.site_rate_state_closed },
  paused: { tone: 'neutral', word: m.site_rate_state_paused },
};

function lookOf({ state, checking }: PublicState): RateState | 'checking' {
  return state === 'stale' && checking ? 'checking' : state;
}

export function stateWord(state: PublicState): { tone: Tone; word: string } {
  const { tone, word } = looks[lookOf(state)];
  return { tone, word: word() };
}

/** Why there are no new prices; null when there are, or when there is no rate at all. */
export function stateReason(state: PublicState): string | null {
  const look = lookOf(state);
  if (look === 'checking') return m.site_rate_why_checking();
  if (look === 'stale') return m.site_rate_why_stale();
  return look === 'closed' ? m.site_rate_why_closed() : null;
}
