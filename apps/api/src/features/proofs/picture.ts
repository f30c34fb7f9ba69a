/** The copy of an image for browsers, re-encoded to remove metadata, such as the place, and hidden data. */
import { decode, decodingQueue } from '#platform/files/drawing.ts';

const MAX_SIDE_PIXELS = 3200;
const QUALITY = 85;

/** An upright JPEG on white; null for an unreadable image. */
export async function redraw(path: string): Promise<Buffer | null> {
  return decodingQueue(async () => {
    // A failure here is not the image's fault.
    const picture = await decode(path);
    try {
      return await picture
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
      return null;
    }
  });
}
