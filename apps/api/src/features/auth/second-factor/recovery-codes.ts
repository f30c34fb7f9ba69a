/**
 * Ten codes for the day on which the telephone is gone. Each works once. What
 * is kept of them is a keyed hash, so a copy of the database tells none.
 */
import { randomInt } from 'node:crypto';
import type { Id } from '#kernel/id.ts';
import type { Keys } from '#platform/security/keys.ts';
import { bareCode } from './typed-codes.ts';

const COUNT = 10;
/** Without letters and digits that are taken for one another. Twelve of them are 58 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const LENGTH = 12;
const LISTED = RegExp(`^\\d{1,2}(?=.{${LENGTH}}$)`);
const PURPOSE = 'recovery code';

/** As people see them: `abcd-efgh-jkmn`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () =>
    Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)))
      .join('')
      .replaceAll(/(.{4})(?=.)/g, '$1-'),
  );
}

/** However it was typed, also with its number in the list, which makes it longer than any code is. */
export function hashRecoveryCode(keys: Keys, userId: Id, code: string): Buffer {
  const bare = bareCode(code).replace(LISTED, '');
  return Buffer.from(keys.sign(PURPOSE, `${userId} ${bare}`), 'base64url');
}
