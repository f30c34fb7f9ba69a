/** Where a message goes that is no spam after all. Pure. */
import type { ContactMessage } from '@cambist/contract/contact';

/** Whoever called it spam made the second version of it. */
const CALLED_SPAM = 2;

/**
 * Among the new ones only where it is plain that nobody has done more with it than call it spam. After
 * more versions it may have been opened between, or only called spam twice: that is not told here.
 */
export function afterSpam({
  version,
  entries,
}: Pick<ContactMessage, 'version' | 'entries'>): 'new' | 'open' {
  return version <= CALLED_SPAM && entries.length === 0 ? 'new' : 'open';
}
