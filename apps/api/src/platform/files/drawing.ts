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

/** Decoded pixels as a picture. */
export async function fromPixels(
  data: Buffer,
  { width, height, channels }: CreateRaw,
): Promise<Sharp> {
  const picture = await open(data, { raw: { width, height, channels } });
  return picture.timeout({ seconds: ENCODING_SECONDS });
}
