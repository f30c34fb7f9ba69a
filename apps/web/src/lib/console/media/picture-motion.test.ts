import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { losesMotion } from './picture-motion.ts';

/** A PNG of these parts, each with so many bytes, of which the first four say `pictures`. */
function png(parts: readonly string[], pictures = 2): Uint8Array<ArrayBuffer> {
  const written = parts.map((name) => {
    const part = Buffer.alloc(12 + 16);
    part.writeUInt32BE(16);
    part.write(name, 4, 'latin1');
    part.writeUInt32BE(pictures, 8);
    return part;
  });
  return Uint8Array.from(Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...written]));
}
/** An AVIF of this kind and version, to be read as these too, and what follows. */
function avif(
  kind: string,
  others: readonly string[] = [],
  { version = '\0\0\0\0', rest = '' } = {},
) {
  const size = String.fromCodePoint(16 + 4 * others.length);
  const text = `\0\0\0${size}ftyp${kind}${version}${others.join('')}${rest}`;
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}

describe('a picture whose motion is lost', () => {
  it('is a PNG of several pictures', () => {
    assert.equal(losesMotion(png(['IHDR', 'gAMA', 'acTL', 'IDAT'])), true);
    assert.equal(losesMotion(png(['IHDR', 'acTL', 'IDAT'], 1)), false);
    assert.equal(losesMotion(png(['IHDR', 'IDAT', 'acTL'])), false);
  });

  it('is an AVIF sequence', () => {
    assert.equal(losesMotion(avif('avis')), true);
    assert.equal(losesMotion(avif('avif', ['mif1', 'avis', 'msf1'])), true);
    assert.equal(losesMotion(avif('avif', ['mif1', 'miaf'], { rest: 'avis' })), false);
    assert.equal(losesMotion(avif('avif', [], { version: 'avis' })), false);
  });

  it('is none of other files and of too few bytes', () => {
    for (const bytes of [[], [1, 2, 3], [0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0, 0]]) {
      assert.equal(losesMotion(Uint8Array.from(bytes)), false);
    }
    assert.equal(losesMotion(png(['IHDR', 'gAMA'])), false);
  });
});
