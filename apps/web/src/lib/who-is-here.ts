/** Who is signed in in this browser by now, which another tab may have changed. */
import { currentUser } from '@cambist/contract/accounts';
import { ApiError, call } from './api.ts';
import { asked, found } from './person.ts';

/** Asks, and tells the page. */
export async function lookWhoIsHere(): Promise<void> {
  const tell = asked();
  try {
    found((await call(currentUser)).id, tell);
  } catch (error) {
    // No answer: it may be as it was. Where nobody is signed in any more, nobody else is either.
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) found(null, tell);
  }
}
