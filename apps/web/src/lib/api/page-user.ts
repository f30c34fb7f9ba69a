/**
 * The user whom the page shows as signed in. When another user signs in in another tab, the session
 * cookie is theirs and a write of this page would run in their account. So each write names the
 * page's user, and the API refuses it with 409 when the session belongs to another.
 */
import { personHeader } from '@cambist/contract/endpoint';

let userId: () => string | null = () => null;

/** Called once in the browser by the root layout. `read` returns null for guests. */
export function setPageUser(read: () => string | null): void {
  userId = read;
}

/** The header of a write that names the user; empty for guests and on the server. */
export function userHeader(): Record<string, string> {
  const id = userId();
  return id === null ? {} : { [personHeader]: id };
}
