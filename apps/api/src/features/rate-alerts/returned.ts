/** What a complaint about the letter of a rate alert means: the same as the link of that letter. */
import type { LetterContent } from '#features/mail/mail.ts';
import type { Tx } from '#platform/database.ts';
import { alertOf } from './stop-link.ts';
import * as store from './store.ts';

/** Ends the alert that this letter told of. False where it is no letter of an alert. */
export async function endAlertByComplaint(
  tx: Tx,
  content: Pick<LetterContent, 'link'>,
): Promise<boolean> {
  const id = alertOf(content);
  if (id === null) return false;
  await store.deleteAlert(tx, id, null);
  return true;
}
