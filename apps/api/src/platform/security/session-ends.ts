/**
 * Tells every process that sessions of a person have ended, so that what a
 * signed-in page holds open ends with them. Sent in the transaction that ends
 * them: one by a sign-out, or all of somebody's at once. It names the person
 * alone; whoever hears it asks which of their sessions are still there.
 */
import type { Id } from '#kernel/id.ts';
import type { Tx } from '#platform/db/database.ts';
import { notify, type Notices } from '#platform/cache/notices.ts';

const CHANNEL = 'session_ended';

/** Call it in every transaction that deletes sessions or disables their owner. */
export function tellSessionsEnded(tx: Tx, userId: Id): Promise<void> {
  return notify(tx, CHANNEL, { user_id: userId });
}

/** `missed` is called when some may not have been heard. Resolves when it listens. */
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
