/** Where a mid rate comes from, in words; a provider is shown by its own name. */
import { m } from '#lib/paraglide/messages.js';
import { sourceWord } from '#lib/rates/source.ts';

export function midSourceWord(source: string): string {
  if (source === 'manual') return m.admin_mid_manual();
  // A formula of numbers alone.
  return source === 'formula' ? m.pairs_mode_formula() : sourceWord(source);
}
