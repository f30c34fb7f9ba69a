/** Pure: what a provider's answer comes to. */
import type { AttemptJson } from '#platform/rate-tables.ts';
import { sift, type SiftLaw } from './faults.ts';
import type { Heard } from './law.ts';
import { carriesAny } from './providers.ts';
import { idleWords, okWords } from './words.ts';

/** How many of its figures are sound by themselves, of which units, and how many in words. */
export function tallyOf(
  law: SiftLaw,
  heard: Heard,
  asked: readonly string[],
): Pick<AttemptJson, 'rates' | 'units' | 'gave_none' | 'message'> {
  const { provider, label } = heard;
  if (!carriesAny(provider, asked))
    return { rates: 0, units: [], gave_none: false, message: idleWords(label) };
  const { sound, faults } = sift(law, heard);
  const rates = sound.rates.length;
  const units = [...new Set(sound.rates.map(({ unit }) => unit))];
  const message = okWords(label, rates, rates + faults.length);
  return { rates, units, gave_none: rates === 0, message };
}
