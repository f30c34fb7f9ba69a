/** States and outcomes of the synchronisation in words, with the tone of their tags. */
import type {
  AcceptedRate,
  AttemptOutcome,
  RateAttempt,
  RateProviderStatus,
  RateRun,
  RateRunOutcome,
} from '@cambist/contract/rates';
import { m } from '#lib/paraglide/messages.js';
import type { Tone } from '#lib/ui/Tag.svelte';

interface Shown {
  readonly tone: Tone;
  readonly word: () => string;
}

export const keyStates: Readonly<Record<RateProviderStatus['key'], Shown>> = {
  set: { tone: 'done', word: m.sync_key_set },
  missing: { tone: 'waiting', word: m.sync_key_missing },
  refused: { tone: 'refused', word: m.sync_key_refused },
  unreadable: { tone: 'refused', word: m.sync_key_unreadable },
  not_needed: { tone: 'neutral', word: m.sync_key_not_needed },
};

export const ageStates: Readonly<Record<AcceptedRate['state'], Shown>> = {
  live: { tone: 'done', word: m.site_rate_state_live },
  delayed: { tone: 'waiting', word: m.site_rate_state_delayed },
  stale: { tone: 'refused', word: m.sync_state_stale },
};

export const runOutcomes: Readonly<Record<RateRunOutcome, Shown>> = {
  updated: { tone: 'done', word: m.sync_run_updated },
  partial: { tone: 'waiting', word: m.sync_run_partial },
  unchanged: { tone: 'neutral', word: m.sync_run_unchanged },
  failed: { tone: 'refused', word: m.ui_failed },
  skipped: { tone: 'neutral', word: m.sync_run_skipped },
};

const attemptOutcomes: Readonly<Record<AttemptOutcome, Shown>> = {
  ok: { tone: 'done', word: m.sync_attempt_ok },
  breaker_open: { tone: 'waiting', word: m.sync_attempt_breaker_open },
  no_key: { tone: 'waiting', word: m.sync_attempt_no_key },
  cadence: { tone: 'neutral', word: m.sync_attempt_cadence },
  retry_later: { tone: 'waiting', word: m.sync_attempt_retry_later },
  out_of_time: { tone: 'waiting', word: m.sync_attempt_out_of_time },
  invalid_key: { tone: 'refused', word: m.sync_attempt_invalid_key },
  quota_exceeded: { tone: 'refused', word: m.sync_attempt_quota_exceeded },
  plan_restricted: { tone: 'refused', word: m.sync_attempt_plan_restricted },
  unsupported_currency: { tone: 'refused', word: m.sync_attempt_unsupported_currency },
  rate_limited: { tone: 'refused', word: m.sync_attempt_rate_limited },
  unavailable: { tone: 'refused', word: m.sync_attempt_unavailable },
  malformed: { tone: 'refused', word: m.sync_attempt_malformed },
};

/** An answer without a usable rate is none. */
export function attemptState({
  outcome,
  gave_none,
}: Pick<RateAttempt, 'outcome' | 'gave_none'>): Shown {
  return gave_none ? { tone: 'waiting', word: m.sync_attempt_none } : attemptOutcomes[outcome];
}

/** How many units or sentences are named where more stand elsewhere: about two lines of a phone. */
export const MOST_NAMED = 12;

/** At most so many by name, and the count of the others. */
export function someOf(units: readonly string[], most: number): string {
  const more = units.length - most;
  if (more <= 1) return units.join(', ');
  return m.sync_units_and_more({ units: units.slice(0, most).join(', '), more });
}

/** What a run came to, in a line. */
export function runLine({ accepted, quarantined, rejected, missing }: RateRun): string {
  const count = missing.length;
  return [
    m.sync_run_accepted({ count: accepted }),
    ...(quarantined > 0 ? [m.sync_run_quarantined({ count: quarantined })] : []),
    ...(rejected > 0 ? [m.sync_run_rejected({ count: rejected })] : []),
    ...(count > 0 ? [m.sync_run_missing({ count, units: someOf(missing, MOST_NAMED) })] : []),
  ].join(', ');
}
