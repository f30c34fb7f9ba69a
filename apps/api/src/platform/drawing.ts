/**
 * Decoding pictures of strangers, bounded: in pixels, in time, and two at a time,
 * since each takes a whole core and up to 160 MB. Nothing but pixels survives.
 */
import sharp, { type CreateRaw, type Sharp } from 'sharp';

/** 40 megapixels: above any phone's picture, below what would exhaust memory (160 MB as RGBA). */
const MAX_PIXELS = 40_000_000;
const TIMEOUT_SECONDS = 5;
/** Of our own pixels: a busy machine may take its time. */
const ENCODING_SECONDS = 30;
const MAX_AT_ONCE = 2;

let running = 0;
const waiting: (() => void)[] = [];

/** Does work that decodes pictures when it is its turn. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  while (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** The picture of a file or of bytes, upright; what cannot be read fails when it is drawn. */
export function decode(source: string | Buffer): Sharp {
  return sharp(source, {
    limitInputPixels: MAX_PIXELS,
    failOn: 'error',
    autoOrient: true,
  }).timeout({ seconds: TIMEOUT_SECONDS });
}

/** Pixels that `decode` gave, as a picture again. */
export function fromPixels(data: Buffer, { width, height, channels }: CreateRaw): Sharp {
  return sharp(data, { raw: { width, height, channels } }).timeout({ seconds: ENCODING_SECONDS });
}
