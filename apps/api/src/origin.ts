/** The origins that the environment names. */

/** `https://example.com:8443/` → `https://example.com:8443`; null for anything but a bare origin. */
export function parseOrigin(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  const bare =
    /^\/*$/.test(url.pathname) &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === '';
  return bare ? url.origin : null;
}
