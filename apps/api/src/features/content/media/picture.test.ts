/** What is said where a picture is not drawn: it is told by the decoders' own words. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import sharp from 'sharp';
import { draw, undrawnFor } from './picture.ts';

const pixels = Buffer.from(Array.from({ length: 300 * 200 * 3 }, (_, at) => (at * 7919) % 251));
const picture = () => sharp(pixels, { raw: { width: 300, height: 200, channels: 3 } });
const files = {
  'a JPEG': () => picture().jpeg(),
  'a progressive JPEG': () => picture().jpeg({ progressive: true }),
  'a PNG': () => picture().png(),
  'an interlaced PNG': () => picture().png({ progressive: true }),
  'a WebP': () => picture().webp(),
  'a lossless WebP': () => picture().webp({ lossless: true }),
  'an AVIF': () => picture().avif({ effort: 0 }),
  'a GIF': () => picture().gif(),
};

for (const [name, file] of Object.entries(files)) {
  it(`${name} that is cut off is damaged`, async () => {
    const whole = await file().toBuffer();
    for (const share of [0.1, 0.5, 0.9]) {
      const part = whole.subarray(0, Math.floor(whole.length * share));
      assert.equal(await draw(part), 'damaged', `${share}`);
    }
  });
}

it('a picture that takes too long is not called damaged', async () => {
  const create = { width: 5000, height: 5000, channels: 3, background: '#000' } as const;
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const slow = sharp({ create: { ...create, noise } })
    .avif({ effort: 9 })
    .timeout({ seconds: 1 });
  const said = await slow.toBuffer().catch((error: unknown) => error);
  assert.equal(undrawnFor(said), 'slow');
});

it('what goes wrong here says nothing of the picture, and is thrown', async () => {
  await assert.rejects(draw('/nowhere/desk.jpg'), /missing/);
  for (const said of [
    'heif: Memory allocation error: Unspecified (6.0)',
    'VipsJpeg: Insufficient memory (case 4)',
    'ENOSPC: no space left on device, write',
  ]) {
    assert.equal(undrawnFor(new Error(said)), null, said);
  }
});
