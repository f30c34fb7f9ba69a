/** Pure: what a provider's answer comes to. */
import type { AttemptJson } from '#platform/json-columns.ts';
import { sift, type SiftLaw } from './faults.ts';
import type { Heard } from './law.ts';
import { carriesAny } from './providers.ts';
import { idleWords, okWords } from './words.ts';

/**
 * How many of its figures are sound by themselves, of which units, and how many in words. `unusable`:
 * where none is, that with the first reason.
 */
export function tallyOf(
  law: SiftLaw,
  heard: Heard,
  asked: readonly string[],
): Pick<AttemptJson, 'rates' | 'units' | 'gave_none' | 'message'> & { unusable: string | null } {
  const { provider, label } = heard;
  if (!carriesAny(provider, asked))
    return { rates: 0, units: [], gave_none: false, message: idleWords(label), unusable: null };
  const { sound, faults } = sift(law, heard);
  const rates = sound.rates.length;
  const units = [...new Set(sound.rates.map(({ unit }) => unit))];
  const unsound = faults.map(({ given }) => given);
  const message = okWords(label, sound.rates, unsound);
  if (rates > 0) return { rates, units, gave_none: false, message, unusable: null };
  const why = faults[0] === undefined ? '' : ` ${faults[0].fault.message}`;
  return { rates, units, gave_none: true, message, unusable: message + why };
}
