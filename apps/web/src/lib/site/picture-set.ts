/** Widths and formats of pictures in the media library. Pure. */
import { mediaPath, mediaWidths, parseMediaPath, type MediaFormat } from '@cambist/contract/media';

/** For `srcset`; null for other pictures. `path` names the largest width. */
export function srcsetOf(path: string, format: MediaFormat = 'webp'): string | null {
  const named = parseMediaPath(path);
  if (named === null) return null;
  return mediaWidths(named.width)
    .map((width) => `${mediaPath({ id: named.id, width, format })} ${width}w`)
    .join(', ');
}
