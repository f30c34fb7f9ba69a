/**
 * The sender that an envelope names, another one for each letter: what comes back to it says by
 * itself which letter it is about, and nobody else can make one. In hexadecimal digits, since some
 * servers make all letters small. Pure.
 */
import type { Id } from '#kernel/id.ts';
import { sameText, type Keys } from '#platform/keys.ts';
import { idOf } from '#platform/signed-id.ts';

const PURPOSE = 'bounces';
/** 64 bits: each guess would be a letter to the desk. */
const SIGNATURE_LENGTH = 16;
const SHAPE = new RegExp(`\\+([0-9a-f]{32})\\.([0-9a-f]{${SIGNATURE_LENGTH}})@`, 'g');

function signatureOf(keys: Keys, id: Id): string {
  const signature = Buffer.from(keys.sign(PURPOSE, id), 'base64url').toString('hex');
  return signature.slice(0, SIGNATURE_LENGTH);
}

/** `bounces@example.com` becomes `bounces+<id>.<signature>@example.com`. */
export function bounceAddress(keys: Keys, address: string, id: Id): string {
  const at = address.lastIndexOf('@');
  const token = `${id.replaceAll('-', '')}.${signatureOf(keys, id)}`;
  return `${address.slice(0, at)}+${token}${address.slice(at)}`;
}

/** The letter that an address in one of these texts was made for; null where none is ours. */
export function readBounceAddress(keys: Keys, texts: readonly string[]): Id | null {
  for (const text of texts) {
    for (const [, digits = '', signature = ''] of text.toLowerCase().matchAll(SHAPE)) {
      const id = idOf(digits);
      if (sameText(signatureOf(keys, id), signature)) return id;
    }
  }
  return null;
}
