/** Pure: what became of a provider in a run, as it is kept and as it is told later. */
import type { AttemptOutcome } from '@cambist/contract/rate-outcomes';
import { rateFailures, type RateProviderName } from '@cambist/contract/rate-settings';
import type { AttemptJson } from '#platform/json-columns.ts';
import { labelOf } from './providers.ts';
import { failureWords, utc } from './words.ts';

export function attemptOf(
  provider: RateProviderName,
  outcome: AttemptOutcome,
  message: string,
  more: Partial<AttemptJson> = {},
): AttemptJson {
  return { provider, outcome, message, detail: '', duration_ms: 0, rates: 0, units: [], ...more };
}

/** Why it gave nothing, told away from its run: what was so then may have ended since. */
export function wordsOfThen(
  { provider, outcome, message, detail }: Omit<AttemptJson, 'duration_ms' | 'rates' | 'units'>,
  at: Date,
): string {
  const label = labelOf(provider);
  const failure = rateFailures.find((each) => each === outcome);
  if (failure !== undefined) return failureWords(label, failure, at);
  if (outcome === 'no_key')
    return detail === ''
      ? `No key for ${label} was set at ${utc(at)}.`
      : `The key for ${label} could not be used at ${utc(at)}.`;
  if (outcome === 'breaker_open')
    return `${label} had failed again and again, and was not asked at ${utc(at)}.`;
  return message;
}

/**
 * Why it was not asked in a run in which its last rates stood, where one of them did not; null of who
 * was asked.
 */
export function sparedWords({
  provider,
  outcome,
  rates,
}: Pick<AttemptJson, 'provider' | 'outcome' | 'rates'>): string | null {
  const label = labelOf(provider);
  const turn = `In the last run it was not the turn of ${label}, which comes earlier in the list`;
  if (outcome === 'cadence')
    return rates > 0 ? `${turn}.` : `${turn}; none of its rates counted as confirmed.`;
  return outcome === 'not_due'
    ? `In the last run ${label}, which comes earlier in the list, had nothing new.`
    : null;
}
