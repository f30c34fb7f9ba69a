/** Pure: what a provider's answer comes to. */
import type { AttemptJson } from '#platform/rate-tables.ts';
import { sift, type SiftLaw } from './faults.ts';
import type { Heard } from './law.ts';
import { carriesAny } from './providers.ts';
import { okWords } from './words.ts';

/** How many of its figures are sound by themselves, of which units, and how many in words. */
export function tallyOf(
  law: SiftLaw,
  heard: Heard,
): Pick<AttemptJson, 'rates' | 'units' | 'message'> {
  const { sound, faults } = sift(law, heard);
  const rates = sound.rates.length;
  const units = [...new Set(sound.rates.map(({ unit }) => unit))];
  return { rates, units, message: okWords(heard.label, rates, rates + faults.length) };
}

/** Whether it answered without a sound figure, though it was asked for what it carries. */
export function gaveNone(
  { provider, outcome, rates }: Pick<AttemptJson, 'provider' | 'outcome' | 'rates'>,
  units: readonly string[],
): boolean {
  return outcome === 'ok' && rates === 0 && carriesAny(provider, units);
}
