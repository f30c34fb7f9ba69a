/** Pure: the signed link of an email that ends one rate alert. */
import type { Id } from '#kernel/id.ts';
import type { Keys } from '#platform/security/keys.ts';
import { readSignedId } from '#platform/security/signed-id.ts';

/** The page of the frontend; the token follows. */
const PATH = '/alerts/';
const PURPOSE = 'rate alert stop';

/** For an email; the token is signed when it is sent. */
export function stopLinkOf(id: Id) {
  return { path: PATH, signs: { purpose: PURPOSE, id } };
}

/** The alert's id; null for an invalid token. */
export function readStopToken(keys: Keys, token: string): Id | null {
  return readSignedId(keys, PURPOSE, token);
}

export function stopPage(frontendUrl: string, token: string): string {
  return new URL(PATH + encodeURIComponent(token), frontendUrl).href;
}
