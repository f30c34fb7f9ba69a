/** Refreshing what was rendered on the server, while somebody looks at it. */

/**
 * Whether it can be done without harm. Not while the keyboard is in a part that
 * another would be put in the place of: the focus would go. Not while the site
 * does not answer: the page would give way to a page that says so.
 */
export async function isRefreshable(): Promise<boolean> {
  if (document.activeElement?.closest('[data-still]')) return false;
  try {
    return (await fetch(location.href, { method: 'HEAD' })).ok;
  } catch {
    return false;
  }
}
