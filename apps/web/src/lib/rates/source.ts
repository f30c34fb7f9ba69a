/**
 * The source of a mid rate as text: the desk, a formula, providers, or one currency on both sides.
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

/** For a table cell: providers without "from". */
export function sourceWord(source: string): string {
  return ['manual', 'formula', 'same unit'].includes(source)
    ? sourcePhrase(source)
    : sourceName(source);
}
