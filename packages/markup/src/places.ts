/**
 * What may stand in the attributes of the HTML that people write: the one rule for
 * the cleaner and for the editor in the browser, which must not load the cleaner.
 */

/** Pictures of the site's own library: `/media/{id}-{width}.{format}`. */
export const picturePath = /^\/media\/[a-z0-9]{8,40}-\d{2,4}\.(avif|webp|jpg|png)$/;
export const idPattern = /^[a-z][a-z0-9-]{0,79}$/;
/** `//host` would leave the site, and `/\host` does in browsers. */
const hrefPattern = /^(https?:\/\/|mailto:|tel:|\/(?![/\\])|#)[^\s<>"\\]*$/i;

/** An address that browsers and checkers of HTML can read. */
export function isHref(value: string): boolean {
  if (!hrefPattern.test(value) || /%(?![0-9a-f]{2})/i.test(value)) return false;
  return URL.canParse(value, 'https://site.invalid');
}
