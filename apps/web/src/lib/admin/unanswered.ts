/**
 * Words for a deed whose answer was lost. The usual ones say that nothing was
 * changed, which nobody knows then; the key, the version or the state makes a second press safe.
 */
import { m } from '#lib/paraglide/messages.js';

export function unansweredWords(): Record<string, string> {
  return { unreachable: m.admin_unanswered(), timeout: m.admin_unanswered() };
}
