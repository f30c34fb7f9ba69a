/** Pure: what became of a provider, in our words. */
import type { AttemptOutcome } from '@cambist/contract/rate-outcomes';
import type { RateFailure } from '@cambist/contract/rate-settings';
import { labelOf } from './providers.ts';

/** Said of a provider by its label. */
export function failureWords(label: string, failure: RateFailure): string {
  return {
    invalid_key: `${label} does not accept the key.`,
    quota_exceeded: `The requests that the plan with ${label} allows are used up.`,
    plan_restricted: `The plan with ${label} does not include what was asked.`,
    unsupported_currency: `${label} does not know a currency that was asked for.`,
    rate_limited: `${label} was asked too often in a short time.`,
    unavailable: `${label} could not be reached or is out of order.`,
    malformed: `${label} answered something that is not as documented.`,
  }[failure];
}

type Unasked = Exclude<AttemptOutcome, 'ok' | RateFailure>;

/** Why it was not asked. */
export function unaskedWords(label: string, outcome: Unasked, until: Date | null): string {
  const time = until === null ? 'later' : utc(until);
  return {
    not_due: `${label} has nothing new before ${time}; its rates count as confirmed.`,
    breaker_open: `${label} failed again and again; it is left alone until ${time}.`,
    no_key: `No key for ${label} is set.`,
    out_of_time: `The run had no time left for ${label}.`,
    cadence: `By the settings ${label} is asked again at ${time}; its last rates stand.`,
    retry_later: `${label} asked not to be asked again before ${time}.`,
  }[outcome];
}

/** After what is told of a provider's figure: what is believed in its place; empty for nothing. */
export function insteadWords(provider: string, instead: string | null): string {
  if (instead === null) return '';
  if (instead === provider) return ' Its other rate stands.';
  return ` The rate from ${labelOf(instead)} stands.`;
}

/** `2026-11-21 08:00 UTC` */
export function utc(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Of an answer: `sound` are the figures that can be believed by themselves. */
export function okWords(label: string, sound: number, given: number): string {
  if (given === 0) return `${label} gave no rate of what it was asked for.`;
  if (sound === 0)
    return given === 1
      ? `${label} gave one figure, which cannot be believed.`
      : `${label} gave ${given} figures, and none of them can be believed.`;
  const besides = given - sound;
  const rates = `${label} gave ${sound} rate${sound === 1 ? '' : 's'}`;
  if (besides === 0) return `${rates}.`;
  return `${rates}, and ${besides} figure${besides === 1 ? '' : 's'} that cannot be believed.`;
}

/** Of an answer to a request that only tried the way. */
export function idleWords(label: string): string {
  return `${label} answered; it was asked for no rate, since it gives none of the units of this desk.`;
}

/** Of a test: what it gave, and how much of that a run could believe; `reason` is of one that it could not. */
export function testedWords(
  label: string,
  {
    given,
    sound,
    reason,
  }: { readonly given: number; readonly sound: number; readonly reason: string },
): string {
  if (given === 0 || sound === given) return okWords(label, sound, given);
  if (sound === 0) return `${label} gave rates, and a run would believe none of them. ${reason}`;
  const tells = `a run would believe ${sound} of them at most`;
  return `${label} gave ${given} rates; ${tells}. ${reason}`;
}
