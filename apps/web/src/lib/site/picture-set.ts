/** The widths and formats in which a picture of the library can be asked for. Pure. */
import { mediaPath, mediaWidths, parseMediaPath, type MediaFormat } from '@cambist/contract/media';

/** For `srcset`. `null` for what is no picture of the library. `path` names its largest width. */
export function srcsetOf(path: string, format: MediaFormat = 'webp'): string | null {
  const named = parseMediaPath(path);
  if (named === null) return null;
  return mediaWidths(named.width)
    .map((width) => `${mediaPath({ id: named.id, width, format })} ${width}w`)
    .join(', ');
}
