/** Cookies on the wire: all values of a name are kept, since browsers send doubles. */

export interface CookieAttributes {
  readonly domain: string | null;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  readonly sameSite: 'lax' | 'strict' | 'none';
  readonly maxAgeSeconds: number;
}

/**
 * Every value of each name, in the order sent. A browser sends two cookies of
 * one name after SESSION_DOMAIN was changed, or when a sibling subdomain set one.
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
