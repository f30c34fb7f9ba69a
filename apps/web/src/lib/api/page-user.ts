/**
 * The user whom the page in this browser shows as signed in. The session's cookie belongs to the browser:
 * once another user has signed in in another tab, a write of this page would run in their account. So each
 * write names the user (api.ts, upload.ts), and the session of another user refuses it with 409.
 */
import { personHeader } from '@cambist/contract/endpoint';

let userId: () => string | null = () => null;

/** Called once, in the browser, by the outermost layout. `read` returns null for a guest's page. */
export function setPageUser(read: () => string | null): void {
  userId = read;
}

/** The header that names the user in a write; none on a guest's page and on the server. */
export function userHeader(): Record<string, string> {
  const id = userId();
  return id === null ? {} : { [personHeader]: id };
}
