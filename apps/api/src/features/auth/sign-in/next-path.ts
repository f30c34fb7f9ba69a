/** Where a browser may be sent after a sign-in: only to paths of the frontend. Pure. */

/** The path with its query and fragment; null for anything that could lead elsewhere. */
export function nextPath(next: string | undefined, frontendUrl: string): string | null {
  // Browsers read a backslash as a slash and drop control characters.
  if (next === undefined || !/^\/[^\x00-\x20\x7f\\]*$/.test(next)) return null;
  if (!URL.canParse(next, frontendUrl)) return null;
  const url = new URL(next, frontendUrl);
  if (url.origin !== frontendUrl || isUnsafe(url.pathname)) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** `//host` after dot segments are resolved, also when decoded once more; and the API's own paths. */
function isUnsafe(path: string): boolean {
  return /^\/(\/|\\|%2f|%5c)/i.test(path) || /^\/+api(\/|$)/i.test(path);
}
