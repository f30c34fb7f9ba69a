/** What can become of a provider in a run, of one of its rates, and of the run. */
import { rateFailures } from './rate-settings.ts';

/**
 * What became of a provider in a run. `not_due`: it has nothing new yet, so it was not asked and
 * its rates count as confirmed. `breaker_open`: not asked, since it failed again and again.
 * `no_key`: not asked, for want of a key. `out_of_time`: the run had no time left for it.
 * `cadence`: by the settings it was not its turn; its last rates stand, as old as they are.
 * `retry_later`: not asked, since it asked to be left alone for a while. None of these is a failure.
 */
export const attemptOutcomes = [
  'ok',
  'not_due',
  'breaker_open',
  'no_key',
  'out_of_time',
  'cadence',
  'retry_later',
  ...rateFailures,
] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/**
 * Why a rate was not believed. `base_waits`: it came in terms of a unit whose jump waits, and the last
 * good one does not hang on that. `unconnected`: nothing connects its base with what the desk needs.
 * `left_out`: none came of its provider, which gave one lately.
 */
export const refusalReasons = [
  'not_a_rate',
  'inverse_too_small',
  'base_not_one',
  'from_the_future',
  'too_old',
  'older_than_last',
  'inconsistent',
  'contradicted',
  'refused_before',
  'base_waits',
  'unconnected',
  'left_out',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/**
 * Why a rate waits for an admin. `jump`: it moved too far since the believed one; `drift`: since a
 * day ago. `contradicted`: a second provider says so, the first does not, and one of them is wrong.
 * `no_comparison`: its provider has another base, and nothing connects it with what is believed.
 */
export const quarantineReasons = ['jump', 'drift', 'contradicted', 'no_comparison'] as const;
export type QuarantineReason = (typeof quarantineReasons)[number];

/**
 * `updated`: something new. `partial`: some needed unit is missing, refused or waiting, or a provider
 * failed, or gave no sound figure of what it was asked for.
 */
export const rateRunOutcomes = ['updated', 'partial', 'unchanged', 'failed', 'skipped'] as const;
export type RateRunOutcome = (typeof rateRunOutcomes)[number];
