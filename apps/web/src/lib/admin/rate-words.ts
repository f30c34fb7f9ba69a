/** Where a mid rate comes from, in words; a provider is shown by its own name. */
import { m } from '#lib/paraglide/messages.js';

export function midSourceWord(source: string): string {
  return source === 'manual' ? m.admin_mid_manual() : source;
}
