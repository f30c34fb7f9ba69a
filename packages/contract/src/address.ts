/** Checks links: the pattern of a schema alone accepts `https://[` and `https://x:abc`. */

const anySite = 'https://site.invalid';

/** Whether it is a valid URL, or a path of this site. */
export function isReadableAddress(address: string): boolean {
  return URL.canParse(address, anySite);
}
