/**
 * The token of an exchange's read-only status link. Pure; who may ask for it,
 * and what it shows, stands in shared-status.ts.
 */
import type { Id } from '#kernel/id.ts';
import type { Keys } from '#platform/keys.ts';
import { readSignedId, signedId } from '#platform/signed-id.ts';

/** The frontend's page; the token follows. */
const PATH = '/status/';
const PURPOSE = 'exchange status';

/** As a letter carries it: the token is made when the letter is sent. */
export function statusLinkOf(id: Id) {
  return { path: PATH, signs: { purpose: PURPOSE, id } };
}

export function statusUrl(keys: Keys, frontendUrl: string, id: Id): string {
  return new URL(PATH + signedId(keys, PURPOSE, id), frontendUrl).href;
}

/** Whose token this is; null for anything else. */
export function readStatusToken(keys: Keys, token: string): Id | null {
  return readSignedId(keys, PURPOSE, token);
}
