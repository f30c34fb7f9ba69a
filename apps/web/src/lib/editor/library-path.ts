/** Pictures of this site's own library among those that come from anywhere. */
import { picturePath } from '@cambist/html/places';

/** The place of a picture of the library, also where it was copied from a page of this site; else null. */
export function libraryPath(src: string | null): string | null {
  if (src === null || !URL.canParse(src, location.origin)) return null;
  const { origin, pathname } = new URL(src, location.origin);
  return origin === location.origin && picturePath.test(pathname) ? pathname : null;
}
