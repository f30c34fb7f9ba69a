/** Pure: what became of a provider, in our words. */
import type { AttemptOutcome } from '@cambist/contract/rate-outcomes';
import type { RateFailure } from '@cambist/contract/rate-settings';
import { labelOf } from './providers.ts';

/**
 * Said of a provider by its label, of the time when it was asked: it is read later too. `at` is told
 * where nothing else does.
 */
export function failureWords(label: string, failure: RateFailure, at: Date | null = null): string {
  const then = at === null ? '' : ` at ${utc(at)}`;
  return {
    invalid_key: `${label} did not accept the key${then}.`,
    quota_exceeded: `The requests that the plan with ${label} allows were used up${then}.`,
    plan_restricted: `The plan with ${label} did not include what was asked${then}.`,
    unsupported_currency: `${label} did not know a currency that was asked for${then}.`,
    rate_limited: `${label} said${then} that it was asked too often in a short time.`,
    unavailable: `${label} could not be reached or was out of order${then}.`,
    malformed: `${label} answered something${then} that was not as documented.`,
  }[failure];
}

type Unasked = Exclude<AttemptOutcome, 'ok' | RateFailure>;

interface Besides {
  readonly until?: Date | null;
  /** Whether anything of what it said before does. */
  readonly stands?: boolean;
  /** Whether a key is, which does not open. */
  readonly isSet?: boolean;
}

/** Why it was not asked. */
export function unaskedWords(label: string, outcome: Unasked, besides: Besides = {}): string {
  const { until = null, stands = false, isSet = false } = besides;
  const time = until === null ? 'later' : utc(until);
  const last = stands ? 'its last rates stand' : 'none of its rates count as confirmed until then';
  return {
    not_due: `${label} has nothing new before ${time}; its rates count as confirmed.`,
    breaker_open: `${label} failed again and again; it is left alone until ${time}.`,
    no_key: isSet ? `The key for ${label} cannot be used.` : `No key for ${label} is set.`,
    out_of_time: `The run had no time left for ${label}.`,
    cadence: `By the settings ${label} is asked again at ${time}; ${last}.`,
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

type Figures = readonly { readonly unit: string }[];

/** Of an answer: `sound` are the figures that can be believed by themselves, `others` those that cannot. */
export function okWords(label: string, sound: Figures, others: Figures): string {
  if (sound.length + others.length === 0) return `${label} gave no rate of what it was asked for.`;
  if (sound.length === 0)
    return others.length === 1
      ? `${label} gave one figure, which cannot be believed.`
      : `${label} gave ${counted(others, 'figure')}, and none of them can be believed.`;
  const rates = `${label} gave ${counted(sound, 'rate')}`;
  if (others.length === 0) return `${rates}.`;
  return `${rates}, and ${counted(others, 'figure')} that cannot be believed.`;
}

/** `6 rates of 3 currencies` where a currency has several, as coins in dollars and in euros; else `3 rates`. */
function counted(figures: Figures, word: string): string {
  const of = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`;
  const all = of(figures.length, word, `${word}s`);
  const units = new Set(figures.map(({ unit }) => unit)).size;
  return units === figures.length ? all : `${all} of ${of(units, 'currency', 'currencies')}`;
}

/** Of an answer to a request that only tried the way. */
export function idleWords(label: string): string {
  return `${label} answered; it was asked for no rate, since it gives none of the units of this desk.`;
}

/** Of a test: what it gave, and how much of that a run could believe; `reason` is of one that it could not. */
export function testedWords(
  label: string,
  sound: Figures,
  others: Figures,
  reason: string,
): string {
  if (others.length === 0) return okWords(label, sound, others);
  if (sound.length === 0)
    return `${label} gave rates, and a run would believe none of them. ${reason}`;
  const tells = `a run would believe ${sound.length} of them at most`;
  return `${label} gave ${counted([...sound, ...others], 'rate')}; ${tells}. ${reason}`;
}
