/** Where a mid rate comes from, in words; a provider is shown by its own name. */
import { m } from '#lib/paraglide/messages.js';

export function sourceWord(source: string): string {
  return source === 'manual' ? m.site_rate_by_desk() : m.site_rate_from({ source });
}
