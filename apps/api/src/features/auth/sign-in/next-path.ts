/** Where a browser may be sent after a sign-in: to paths of the frontend and nowhere else. Pure. */

/** The path with its query and fragment; null for anything that could lead elsewhere. */
export function nextPath(next: string | undefined, frontendUrl: string): string | null {
  // A backslash is a slash to browsers, and control characters are dropped by them.
  if (next === undefined || !/^\/[^\x00-\x20\x7f\\]*$/.test(next)) return null;
  if (!URL.canParse(next, frontendUrl)) return null;
  const url = new URL(next, frontendUrl);
  if (url.origin !== frontendUrl || isDoubtful(url.pathname)) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** `//host` after dot segments are gone, also where somebody decodes once more; and the API's own. */
function isDoubtful(path: string): boolean {
  return /^\/(\/|\\|%2f|%5c)/i.test(path) || /^\/+api(\/|$)/i.test(path);
}
