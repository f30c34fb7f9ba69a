/**
 * A token that gives its holder access to one record: the record's id and half of an HMAC-SHA256 over it, with
 * a key of its purpose. Nothing is stored, so a copy of the database reveals no token, and a wrong one is
 * refused before any query.
 */
import type { Id } from '#kernel/id.ts';
import { sameText, type Keys } from './keys.ts';

/** Sixteen bytes in base64url. */
const ID_LENGTH = 22;
/** 132 bits in base64url: more than can be tried. */
const SIGNATURE_LENGTH = 22;
const SHAPE = new RegExp(`^[\\w-]{${ID_LENGTH + SIGNATURE_LENGTH}}$`);

export function signedId(keys: Keys, purpose: string, id: Id): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return bytes.toString('base64url') + keys.sign(purpose, id).slice(0, SIGNATURE_LENGTH);
}

/** Null for a token that this service did not issue for the purpose. */
export function readSignedId(keys: Keys, purpose: string, token: string): Id | null {
  if (!SHAPE.test(token)) return null;
  const id = idOf(Buffer.from(token.slice(0, ID_LENGTH), 'base64url').toString('hex'));
  // Recomputed and compared whole, so that each id has exactly one token.
  return sameText(signedId(keys, purpose, id), token) ? id : null;
}

function idOf(digits: string): Id {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
