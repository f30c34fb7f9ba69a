import { parseMediaPath } from '@cambist/contract/media';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** How large a picture is in the width that its path names. A very flat one still has a line. Pure. */
export function keptSize(path: string, { width, height }: Size): Size {
  const kept = parseMediaPath(path)?.width ?? width;
  return { width: kept, height: Math.max(1, Math.round((height * kept) / width)) };
}
