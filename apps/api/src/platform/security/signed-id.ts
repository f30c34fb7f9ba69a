/**
 * A token that opens one record to whoever holds it: the record's id and half of
 * an HMAC-SHA256 over it, with a key of the purpose's own. Nothing of it is
 * stored, so a copy of the database opens nothing, emails written long ago can
 * carry it, and a wrong one is known before any row is looked at.
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

/** The id that a token was made of; null for anything this service did not make for the purpose. */
export function readSignedId(keys: Keys, purpose: string, token: string): Id | null {
  if (!SHAPE.test(token)) return null;
  const id = idOf(Buffer.from(token.slice(0, ID_LENGTH), 'base64url').toString('hex'));
  // Made anew and compared whole: each id has one token, however its letters could be read.
  return sameText(signedId(keys, purpose, id), token) ? id : null;
}

/** Of its 32 hexadecimal digits. */
function idOf(digits: string): Id {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
