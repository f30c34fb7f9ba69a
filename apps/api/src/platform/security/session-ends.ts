/**
 * Notifies every process when sessions of a user have ended, so that their open streams end too. Sent in the
 * transaction that ends them. It names only the user; receivers look up which sessions are left.
 */
import type { Id } from '#kernel/id.ts';
import type { Tx } from '#platform/db/database.ts';
import { notify, type Notices } from '#platform/cache/notices.ts';

const CHANNEL = 'session_ended';

/** Call in every transaction that deletes sessions or disables their user. */
export function notifySessionsEnded(tx: Tx, userId: Id): Promise<void> {
  return notify(tx, CHANNEL, { user_id: userId });
}

/** `missed` is called when notices may have been lost. Resolves when listening. */
export function onSessionsEnded(
  { notices }: { readonly notices: Notices },
  ended: (userId: Id) => void,
  missed: () => void,
): Promise<() => void> {
  return notices.listen(
    CHANNEL,
    ({ user_id }) => {
      if (typeof user_id === 'string') ended(user_id);
    },
    missed,
  );
}
