/**
 * A picture in every width and format that the site shows: decoded once, drawn
 * anew, so that neither metadata nor anything hidden behind the pixels is passed
 * on. Of an animation the WebP moves; other formats are its first picture.
 */
import { mediaWidths, type MediaFormat } from '@cambist/contract/media';
import type { Sharp } from 'sharp';
import { decode, decodeAnimation, decodingQueue, fromPixels } from '#platform/files/drawing.ts';

/** Errors of the decoder; other formats (SVG, PDF, TIFF) are rejected. */
const kinds = new Set(['jpeg', 'png', 'webp', 'heif', 'gif']);

/** Of these all pictures are read; a phone's HEIF holds several for other reasons. */
const animatedKinds = new Set(['gif', 'webp']);

export interface DrawnFile {
  readonly width: number;
  readonly format: MediaFormat;
  readonly bytes: Buffer;
}

export interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
  readonly fallback: 'jpg' | 'png';
  readonly files: readonly DrawnFile[];
}

/**
 * Settings by measurement on photographs and screenshots: close to the original to
 * the eye. AVIF at effort 2 takes half the time of effort 3, which takes a fifth of that of
 * the default, for 3 % more bytes each.
 */
const encode: Readonly<Record<MediaFormat, (picture: Sharp) => Sharp>> = {
  avif: (picture) => picture.avif({ quality: 55, effort: 2 }),
  webp: (picture) => picture.webp({ quality: 80, effort: 4, smartSubsample: true }),
  jpg: (picture) => picture.jpeg({ quality: 82, mozjpeg: true }),
  png: (picture) => picture.png({ compressionLevel: 9, palette: true }),
};

/** Effort 1 takes a quarter of the time of 4, for a fifth more bytes. */
const moving = (picture: Sharp) => picture.webp({ quality: 75, effort: 1 });

/**
 * Why nothing is drawn: `animation` and `pixels` are too much of them, `kind` is one that is not
 * taken, `slow` takes longer than it may.
 */
export type Undrawn = 'animation' | 'pixels' | 'kind' | 'damaged' | 'slow';

/** What goes wrong here and not in the picture is thrown. */
export async function draw(source: string | Buffer): Promise<Drawn | Undrawn> {
  return decodingQueue(async () => {
    try {
      return await drawAll(source);
    } catch (error) {
      const reason = undrawnFor(error);
      if (reason === null) throw error;
      return reason;
    }
  });
}

/** How each decoder begins what it says of a broken file; of an interlaced PNG it says nothing. */
const damage =
  /corrupt header|\bVipsJpeg: |\bvipspng: |\bwebp\w*: |\bheif\w*: |\bgifload\w*: |^Input buffer is empty|^Unknown error$/i;

/** What the decoder's error says of the picture; null where it says nothing of it. */
export function undrawnFor(error: unknown): Undrawn | null {
  const said = error instanceof Error ? error.message : '';
  if (said.includes('exceeds pixel limit')) return 'pixels';
  if (said.includes('unsupported image format')) return 'kind';
  if (/(^|\n)timeout: /.test(said)) return 'slow';
  // Decoders say so too where the machine has too little of it.
  return damage.test(said) && !/memory/i.test(said) ? 'damaged' : null;
}

async function drawAll(source: string | Buffer): Promise<Drawn | Undrawn> {
  const header = await (await decode(source)).metadata();
  const { format, hasAlpha, autoOrient, pages = 1, compression } = header;
  // A phone's HEIC is a HEIF too, with another codec inside than AVIF.
  if (!kinds.has(format) || compression === 'hevc') return 'kind';
  const isAnimated = pages > 1 && animatedKinds.has(format);
  const animation = isAnimated ? await decodeAnimation(source) : null;
  if (isAnimated && animation === null) return 'animation';
  const { width, height } = autoOrient;
  const widths = mediaWidths(width);
  // Decoded once and held as pixels: encoding in between would lose quality.
  const still = await decode(source);
  const { data, info } = await still
    .resize({ width: Math.max(...widths) })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const fallback = hasAlpha ? 'png' : 'jpg';
  const files: DrawnFile[] = [];
  // One after the other: the whole ladder at once would hold every size in memory.
  for (const to of widths) {
    for (const kind of ['avif', 'webp', fallback] as const) {
      const bytes =
        animation !== null && kind === 'webp'
          ? await moving(animation.clone().resize({ width: to })).toBuffer()
          : await encode[kind]((await fromPixels(data, info)).resize({ width: to })).toBuffer();
      files.push({ width: to, format: kind, bytes });
    }
  }
  return { width, height, isAnimated, fallback, files };
}
