/** The same picture in a file of its own: the library keeps the same bytes once. */
import { randomBytes } from 'node:crypto';

export function anotherFile(bytes: Buffer): Buffer {
  // What stands behind a picture's end is read by nobody.
  return Buffer.concat([bytes, randomBytes(8)]);
}
