/**
 * Messages whose sender has deleted the account of their address. Who wrote goes
 * at once; the words stay while the desk has not dealt with them, and go when it
 * has. What is left, topic, state and day, tells of nobody.
 */
import type { MessageState } from '@cambist/contract/contact';
import { Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/db/database.ts';
import * as store from './store.ts';

const NAME = 'Deleted account';
/** Somebody still has to read it. */
const WAITS: ReadonlySet<MessageState> = new Set(['new', 'open']);

/** Takes whoever has this address out of their messages. */
export async function forgetSender(tx: Tx, email: string): Promise<void> {
  for (const row of await store.lockSubmissionsOf(tx, email)) {
    // Whoever has it open sees that it changed, instead of answering.
    const version = row.version + 1;
    await store.updateSubmission(tx, row.id, { name: NAME, email: '', version });
    await forgetIfDone(tx, { ...row, email: '' });
  }
}

/** The words of a message that nobody waits for go with the last who dealt with it. */
export async function forgetIfDone(
  tx: Tx,
  { id, email, state }: Pick<store.SubmissionRow, 'id' | 'email' | 'state'>,
): Promise<void> {
  if (email !== '' || WAITS.has(state)) return;
  await store.updateSubmission(tx, id, { message: '', exchange_number: '', entry_words: '' });
  await store.deleteEntries(tx, id);
}

export function senderGone(): Refusal {
  return new Refusal(
    409,
    'sender_gone',
    'Whoever wrote this has deleted the account, so there is no address to answer to.',
  );
}
