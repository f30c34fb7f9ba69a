/** What the service refuses an admin about another's account, in words. */
import { m } from '#lib/paraglide/messages.js';

export function refusalWords(): Record<string, string> {
  return {
    last_admin: m.people_refused_last_admin(),
    own_account: m.people_refused_own_account(),
    beyond_own_permissions: m.people_refused_beyond(),
  };
}
