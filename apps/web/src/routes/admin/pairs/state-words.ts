/** Whether a pair is quoted, and where its rate comes from, in words. */
import type { RateState } from '@cambist/contract/pair-terms';
import type { Pair } from '@cambist/contract/pairs';
import { m } from '#lib/paraglide/messages.js';
import type { Tone } from '#lib/ui/Tag.svelte';

export const stateTones: Record<RateState, Tone> = {
  live: 'done',
  delayed: 'waiting',
  stale: 'refused',
  closed: 'neutral',
  paused: 'neutral',
};

export const stateWords: Record<RateState, () => string> = {
  live: m.pairs_state_live,
  delayed: m.pairs_state_delayed,
  stale: m.pairs_state_stale,
  closed: m.pairs_state_closed,
  paused: m.pairs_state_paused,
};

export const modeWords: Record<Pair['rate_mode'], () => string> = {
  automatic: m.pairs_mode_automatic,
  manual: m.pairs_mode_manual,
  formula: m.pairs_mode_formula,
};
