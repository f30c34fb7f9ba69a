/** Decodes uploaded pictures, bounded in pixels and time. Nothing but pixels survives. */
import type { CreateRaw, Sharp, SharpInput, SharpOptions } from 'sharp';
import { openQueue } from '../work-queue.ts';

/** For all decoding of uploaded files: each takes a whole core and up to 200 MB. */
export const decodingQueue = openQueue({
  atOnce: 2,
  waiting: 30,
  refusal: 'Too many files wait to be decoded.',
});

/** 40 megapixels: above any phone's picture, below what would exhaust memory (160 MB as RGBA). */
const MAX_PIXELS = 40_000_000;
const TIMEOUT_SECONDS = 5;
/** For encoding our own pixels. */
const ENCODING_SECONDS = 30;

/** Loads the library with the first picture. */
async function open(source: SharpInput, options: SharpOptions): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  return sharp(source, options);
}

/** The picture of a file or bytes, upright; an unreadable one fails when it is encoded. */
export async function decode(source: string | Buffer): Promise<Sharp> {
  const picture = await open(source, {
    limitInputPixels: MAX_PIXELS,
    failOn: 'error',
    autoOrient: true,
  });
  return picture.timeout({ seconds: TIMEOUT_SECONDS });
}

/** 24 megapixels: all sizes of it are encoded in seconds; each needs the whole animation in memory. */
const MAX_ANIMATED_PIXELS = 24_000_000;
const MAX_PICTURES = 1000;

/** The frames of an animation, stacked in one picture; null when they are too many or too large. */
export async function decodeAnimation(source: string | Buffer): Promise<Sharp | null> {
  const pictures = await open(source, {
    animated: true,
    failOn: 'error',
    limitInputPixels: MAX_PIXELS,
  });
  const header = await open(source, { animated: true, limitInputPixels: false });
  // The total height would overflow 32 bits.
  const { width, height, pageHeight = height, pages = 1 } = await header.metadata();
  if (pages > MAX_PICTURES || width * pageHeight * pages > MAX_ANIMATED_PIXELS) return null;
  return pictures.timeout({ seconds: ENCODING_SECONDS });
}

/** Decoded pixels as a picture. */
export async function fromPixels(
  data: Buffer,
  { width, height, channels }: CreateRaw,
): Promise<Sharp> {
  const picture = await open(data, { raw: { width, height, channels } });
  return picture.timeout({ seconds: ENCODING_SECONDS });
}
