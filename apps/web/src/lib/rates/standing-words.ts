/**
 * Whether a direction has prices now, and why not, in words: lists, its own page
 * and the converter say the same, since all take them here.
 */
import type { RateState } from '@cambist/contract/pair-terms';
import { m } from '#lib/paraglide/messages.js';
import type { Tone } from '#lib/ui/Tag.svelte';

/** The part of a pair that is told to everybody. */
export interface PublicStanding {
  readonly state: RateState;
  /** Its rate moved so far that the desk looks at it first; only said of what is stale. */
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

function lookOf({ state, checking }: PublicStanding): RateState | 'checking' {
  return state === 'stale' && checking ? 'checking' : state;
}

/** For a tag. */
export function standingWord(standing: PublicStanding): { tone: Tone; word: string } {
  const { tone, word } = looks[lookOf(standing)];
  return { tone, word: word() };
}

/** Why it has no new prices, as a sentence; null where it has, or has no rate to speak of. */
export function standingReason(standing: PublicStanding): string | null {
  const look = lookOf(standing);
  if (look === 'checking') return m.site_rate_why_checking();
  if (look === 'stale') return m.site_rate_why_stale();
  return look === 'closed' ? m.site_rate_why_closed() : null;
}
