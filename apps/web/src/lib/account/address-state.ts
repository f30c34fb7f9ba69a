/** Whether a person's address stands otherwise than the page shows. Pure. */
import type { User } from '@cambist/contract/accounts';

type Addressed = Pick<User, 'id' | 'email' | 'pending_email' | 'email_verified_at'>;

/** Never for somebody else who is signed in by now: the page is not handed over unasked. */
export function isOtherwise(shown: Addressed, now: Addressed): boolean {
  const isSame =
    shown.email === now.email &&
    shown.pending_email === now.pending_email &&
    shown.email_verified_at === now.email_verified_at;
  return shown.id === now.id && !isSame;
}
