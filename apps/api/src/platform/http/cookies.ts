/** Reading and writing cookies. */

export interface CookieAttributes {
  readonly domain: string | null;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  readonly sameSite: 'lax' | 'strict' | 'none';
  readonly maxAgeSeconds: number;
}

/**
 * All values of each name, in the order sent: a browser sends two cookies of one name after SESSION_DOMAIN
 * has changed, or when a sibling subdomain has set one.
 */
export function readCookies(header: string | undefined): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at < 1) continue;
    const name = part.slice(0, at).trim();
    const value = part.slice(at + 1).trim();
    const values = found.get(name);
    if (values) values.push(value);
    else found.set(name, [value]);
  }
  return found;
}

/** One `Set-Cookie` value. `value` must consist of characters that need no encoding. */
export function writeCookie(name: string, value: string, attributes: CookieAttributes): string {
  const { domain, secure, httpOnly, sameSite, maxAgeSeconds } = attributes;
  return [
    `${name}=${value}`,
    `Max-Age=${maxAgeSeconds}`,
    'Path=/',
    ...(domain === null ? [] : [`Domain=${domain}`]),
    ...(secure ? ['Secure'] : []),
    ...(httpOnly ? ['HttpOnly'] : []),
    `SameSite=${{ lax: 'Lax', strict: 'Strict', none: 'None' }[sameSite]}`,
  ].join('; ');
}
