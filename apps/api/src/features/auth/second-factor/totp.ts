/** The codes of authenticator apps (TOTP, RFC 6238): six digits, thirty seconds. Pure. */
import { Secret, TOTP } from 'otpauth';
import { SECOND } from '#kernel/clock.ts';
import { bareCode } from './typed-codes.ts';

const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** A clock may be one step off, in either direction. */
const WINDOW = 1;

/** In Base32, as people type it into an app that cannot read the picture. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What the QR code holds. */
export function totpUri(secret: string, issuer: string, label: string): string {
  return totp(secret, issuer, label).toString();
}

/** The time step whose code this is, one off at most; null for a code that is not right. */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const token = bareCode(code);
  if (!/^\d{6}$/.test(token)) return null;
  const delta = totp(secret).validate({ token, timestamp: now.getTime(), window: WINDOW });
  return delta === null ? null : Math.floor(now.getTime() / SECOND / PERIOD_SECONDS) + delta;
}

function totp(secret: string, issuer = '', label = 'account'): TOTP {
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });
}
