/**
 * The copy of an image that people are shown: decoded and encoded anew, so that
 * neither metadata (a photo tells where it was taken) nor anything hidden
 * behind the pixels reaches a browser.
 */
import { decode } from '#platform/files/drawing.ts';
import { inTurn } from '#platform/files/file-turns.ts';

const MAX_SIDE_PIXELS = 3200;
const QUALITY = 85;

/** A JPEG of the picture, upright, on white; null when it cannot be read as one. */
export async function redraw(path: string): Promise<Buffer | null> {
  return inTurn(async () => {
    // Says nothing of the picture where it fails: it only loads what will read it.
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
      // Whatever the decoder complains of, the sender hears that the picture is broken.
      return null;
    }
  });
}
