/** Identifiers of records: UUIDs ordered by time, so that indexes stay dense. */
import { randomInt, randomUUIDv7 } from 'node:crypto';

export type Id = string;

/** A new UUID, version 7 (RFC 9562). */
export function newId(): Id {
  return randomUUIDv7();
}

/** Crockford's base 32: no I, L, O or U, so a number can be read aloud. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A public exchange number such as `CX-7F3K-92QD`: 40 random bits. */
export function newExchangeNumber(): string {
  const letters = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `CX-${letters.slice(0, 4)}-${letters.slice(4)}`;
}
