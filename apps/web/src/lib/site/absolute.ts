/** Whole addresses, of what people wrote into settings and posts. */

/**
 * The whole address of a path or an address. Null for what cannot be read: the settings take none
 * any more, but what was stored before must take no page down.
 */
export function absolute(address: string, origin: string): string | null {
  return URL.canParse(address, origin) ? new URL(address, origin).href : null;
}
