/** The token that ends a rate alert for whoever holds it, and can do nothing else. Pure. */
import type { Id } from '#kernel/id.ts';
import type { Keys } from '#platform/security/keys.ts';
import { readSignedId } from '#platform/security/signed-id.ts';

/** The frontend's page; the token follows. */
const PATH = '/alerts/';
const PURPOSE = 'rate alert stop';

/** As an email carries it: the token is made when the email is sent. */
export function stopLinkOf(id: Id) {
  return { path: PATH, signs: { purpose: PURPOSE, id } };
}

/** Whose token this is; null for anything else. */
export function readStopToken(keys: Keys, token: string): Id | null {
  return readSignedId(keys, PURPOSE, token);
}

/** The page that asks before it stops anything. */
export function stopPage(frontendUrl: string, token: string): string {
  return new URL(PATH + encodeURIComponent(token), frontendUrl).href;
}
