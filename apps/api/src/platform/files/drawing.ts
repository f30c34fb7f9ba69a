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
/** Of our own pixels: a busy machine may take its time. */
const ENCODING_SECONDS = 30;

/** Loads the library with the first picture: most processes never see one. */
async function open(source: SharpInput, options: SharpOptions): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  return sharp(source, options);
}

/** The picture of a file or of bytes, upright; what cannot be read fails when it is drawn. */
export async function decode(source: string | Buffer): Promise<Sharp> {
  const picture = await open(source, {
    limitInputPixels: MAX_PIXELS,
    failOn: 'error',
    autoOrient: true,
  });
  return picture.timeout({ seconds: TIMEOUT_SECONDS });
}

/** 24 megapixels: a ladder of these is drawn in seconds; each width holds all of it in memory. */
const MAX_ANIMATED_PIXELS = 24_000_000;
/** Each is decoded by itself, however small it is. */
const MAX_PICTURES = 1000;

/** The pictures of an animation one beneath the other, drawn as one; null when they are too many or too large. */
export async function decodeAnimation(source: string | Buffer): Promise<Sharp | null> {
  const pictures = await open(source, {
    animated: true,
    failOn: 'error',
    limitInputPixels: MAX_PIXELS,
  });
  const header = await open(source, { animated: true, limitInputPixels: false });
  // The height of all together wraps round at 32 bits.
  const { width, height, pageHeight = height, pages = 1 } = await header.metadata();
  if (pages > MAX_PICTURES || width * pageHeight * pages > MAX_ANIMATED_PIXELS) return null;
  return pictures.timeout({ seconds: ENCODING_SECONDS });
}

/** Pixels that `decode` gave, as a picture again. */
export async function fromPixels(
  data: Buffer,
  { width, height, channels }: CreateRaw,
): Promise<Sharp> {
  const picture = await open(data, { raw: { width, height, channels } });
  return picture.timeout({ seconds: ENCODING_SECONDS });
}
