/**
 * Where a mid rate comes from, in words for people: the desk, a formula, nowhere
 * because both sides are one currency, or providers by their own names.
 */
import { m } from '#lib/paraglide/messages.js';
import { sourceName } from './provider-name.ts';

/** `set by the desk`, `from Fixer + CoinGecko`: for the middle of a sentence. */
export function sourcePhrase(source: string | null): string {
  if (source === null || source === 'manual') return m.site_rate_by_desk();
  if (source === 'formula') return m.site_rate_by_formula();
  if (source === 'same unit') return m.site_rate_same_unit();
  return m.site_rate_from({ source: sourceName(source) });
}

/** The same for a cell of a table: providers without a word before them. */
export function sourceWord(source: string): string {
  return ['manual', 'formula', 'same unit'].includes(source)
    ? sourcePhrase(source)
    : sourceName(source);
}
