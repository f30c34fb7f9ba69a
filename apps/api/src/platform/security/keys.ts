/**
 * One key for each purpose, derived from APP_KEY (HKDF, RFC 5869), so that a signature of one purpose is
 * invalid for any other. Without APP_KEY the service starts, but everything that needs a key fails.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Answered as 500 with the name of the exception (specification, section 7). */
export class MissingAppKey extends Error {
  constructor() {
    super('No application encryption key has been specified.');
    this.name = 'MissingAppKeyException';
  }
}

export interface Keys {
  /** Base64url HMAC-SHA256 of the text. */
  sign(purpose: string, text: string): string;
  /** `sign` that keeps the latest signatures, for what comes with every request. */
  signAgain(purpose: string, text: string): string;
  /** Compares in constant time. */
  verify(purpose: string, text: string, signature: string): boolean;
  /** AES-256-GCM; `aad` names the place that the text belongs to and is not stored. */
  seal(purpose: string, plain: string, aad: string): Buffer;
  /** Throws when the text was sealed with another key, for another place, or was changed. */
  open(purpose: string, sealed: Buffer, aad: string): string;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;
const MAX_SIGNATURES = 2000;

export function openKeys(appKey: Buffer | null): Keys {
  const derived = new Map<string, KeyObject>();
  const signatures = new LRUCache<string, string>({ max: MAX_SIGNATURES });

  function key(purpose: string): KeyObject {
    if (appKey === null) throw new MissingAppKey();
    const known = derived.get(purpose);
    if (known) return known;
    const made = createSecretKey(Buffer.from(hkdfSync('sha256', appKey, 'cambist', purpose, 32)));
    derived.set(purpose, made);
    return made;
  }

  function sign(purpose: string, text: string): string {
    return createHmac('sha256', key(`sign ${purpose}`))
      .update(text)
      .digest('base64url');
  }

  return {
    sign,

    signAgain(purpose, text) {
      const name = `${purpose} ${text}`;
      const signed = signatures.get(name) ?? sign(purpose, text);
      signatures.set(name, signed);
      return signed;
    },

    verify(purpose, text, signature) {
      return sameText(sign(purpose, text), signature);
    },

    seal(purpose, plain, aad) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key(`seal ${purpose}`), iv).setAAD(
        Buffer.from(aad),
      );
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },

    open(purpose, sealed, aad) {
      const decipher = createDecipheriv(
        'aes-256-gcm',
        key(`seal ${purpose}`),
        sealed.subarray(0, IV_BYTES),
        { authTagLength: TAG_BYTES },
      )
        .setAAD(Buffer.from(aad))
        .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const body = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    },
  };
}

/** Compares in constant time, except for the lengths. */
export function sameText(one: string, other: string): boolean {
  const left = Buffer.from(one);
  const right = Buffer.from(other);
  return left.length === right.length && timingSafeEqual(left, right);
}
