/** Pure: sentences about the result of a provider. */
import type { AttemptOutcome } from '@cambist/contract/rates';
import type { RateFailure } from '@cambist/contract/rate-settings';

export function failureMessage(label: string, failure: RateFailure): string {
  return {
    invalid_key: `${label} did not accept the key.`,
    quota_exceeded: `The requests that the plan with ${label} allows are used up.`,
    plan_restricted: `The plan with ${label} does not include what was asked.`,
    unsupported_currency: `${label} does not know a currency that it was asked for.`,
    rate_limited: `${label} was asked too often in a short time.`,
    unavailable: `${label} could not be reached or is out of order.`,
    malformed: `${label} gave an answer that does not match its documentation.`,
  }[failure];
}

type SkipOutcome = Exclude<AttemptOutcome, 'ok' | RateFailure>;

/** Why a run did not ask the provider. */
export function skipMessage(label: string, outcome: SkipOutcome, until: Date | null = null) {
  const time = until === null ? 'later' : utc(until);
  return {
    cadence: `By the settings ${label} is asked again at ${time}.`,
    breaker_open: `${label} failed repeatedly; it is not asked before ${time}.`,
    no_key: `No usable key for ${label} is set.`,
    retry_later: `${label} asked not to be asked again before ${time}.`,
    out_of_time: `The run had no time left for ${label}.`,
  }[outcome];
}

export function answerMessage(label: string, usable: number, rejected: number): string {
  if (usable + rejected === 0) return `${label} gave no rate of what it was asked for.`;
  const rates = (count: number) => (count === 1 ? '1 rate' : `${count} rates`);
  if (rejected === 0) return `${label} gave ${rates(usable)}.`;
  if (usable === 0) return `${label} gave ${rates(rejected)}, and none could be used.`;
  return `${label} gave ${rates(usable)}, and ${rejected} that could not be used.`;
}

/** For a provider without the desk's units, where the request only tests the connection. */
export function idleMessage(label: string): string {
  return `${label} answered; it has none of the units of this desk.`;
}

/** `2026-11-21 08:00 UTC` */
export function utc(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
