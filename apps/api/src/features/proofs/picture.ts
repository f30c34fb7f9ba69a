/**
 * The copy of an image that people are shown: decoded and encoded anew, so that
 * neither metadata (a photo tells where it was taken) nor anything hidden
 * behind the pixels reaches a browser. Bounded in pixels, time and number.
 */
import sharp from 'sharp';

/** 40 megapixels: above any phone's picture, below what would exhaust memory (160 MB as RGBA). */
const MAX_PIXELS = 40_000_000;
const MAX_SIDE_PIXELS = 3200;
const TIMEOUT_SECONDS = 5;
const QUALITY = 85;
/** Two at a time: decoding takes a whole core and up to 160 MB each. */
const MAX_AT_ONCE = 2;

let running = 0;
const waiting: (() => void)[] = [];

/** A JPEG of the picture, upright, on white; null when it cannot be read as one. */
export async function redraw(path: string): Promise<Buffer | null> {
  while (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error', autoOrient: true })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .resize({
        width: MAX_SIDE_PIXELS,
        height: MAX_SIDE_PIXELS,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: QUALITY })
      .toBuffer();
  } catch {
    // Whatever the decoder complains of, the sender hears that the picture is broken.
    return null;
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}
