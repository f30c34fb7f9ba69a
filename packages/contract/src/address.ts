/** Addresses that people give. A pattern alone takes `https://[` and `https://x:abc` for some. */

const anySite = 'https://site.invalid';

/** Whether programs can read it: a whole address, or a path of this site. */
export function isReadableAddress(address: string): boolean {
  return URL.canParse(address, anySite);
}
