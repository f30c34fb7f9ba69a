/** Codes of authenticator apps (TOTP, RFC 6238) and recovery codes. Pure. */
import { randomInt } from 'node:crypto';
import { asciiDigits } from '@cambist/contract/ascii-digits';
import { Secret, TOTP } from 'otpauth';
import { SECOND } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import type { Keys } from '#platform/security/keys.ts';

const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** The telephone's clock may be one step off in either direction. */
const WINDOW = 1;

const RECOVERY_CODES = 10;
/** Without letters and digits that look alike. Twelve of them are 58 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const LENGTH = 12;
const LIST_NUMBER = RegExp(`^\\d{1,2}(?=.{${LENGTH}}$)`);

/** In Base32, to be typed into an app that cannot scan the QR code. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The content of the QR code. */
export function totpUri(secret: string, issuer: string, label: string): string {
  return totp(secret, issuer, label).toString();
}

/** The time step of a valid code; null for any other. */
export function totpStepOf(secret: string, code: string, now: Date): number | null {
  const token = bareCode(code);
  if (!/^\d{6}$/.test(token)) return null;
  const delta = totp(secret).validate({ token, timestamp: now.getTime(), window: WINDOW });
  return delta === null ? null : Math.floor(now.getTime() / SECOND / PERIOD_SECONDS) + delta;
}

function totp(secret: string, issuer = '', label = 'account'): TOTP {
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });
}

/** Such as `abcd-efgh-jkmn`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)))
      .join('')
      .replaceAll(/(.{4})(?=.)/g, '$1-'),
  );
}

/** A keyed hash, so that a copy of the database reveals no code. Accepts a code typed with its list number. */
export function hashRecoveryCode(keys: Keys, userId: Id, code: string): Buffer {
  const bare = bareCode(code).replace(LIST_NUMBER, '');
  return Buffer.from(keys.sign('recovery code', `${userId} ${bare}`), 'base64url');
}

/** The letters and digits of a typed or pasted code, without separators, in ASCII and lower case. */
export function bareCode(typed: string): string {
  return asciiDigits(typed.normalize('NFKC'))
    .replaceAll(/[\s.\u2212\p{Dash_Punctuation}\p{Format}]/gu, '')
    .toLowerCase();
}
