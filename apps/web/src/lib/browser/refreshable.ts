/** Refreshing what was rendered on the server, while somebody looks at it. */
import { API_URL } from '$app/env/public';

/**
 * Whether it can be done without harm. Not while the keyboard is in a part that
 * another would be put in the place of: the focus would go. Not while the site
 * does not answer: the page would give way to a page that says so.
 */
export async function isRefreshable(): Promise<boolean> {
  if (document.activeElement?.closest('[data-still]')) return false;
  try {
    // Of each of the two services something that costs it nothing: the page itself is loaded but once.
    const asked = ['/favicon.svg', `${API_URL}/api/public/rates-showcase`].map((address) =>
      fetch(address, { method: 'HEAD', cache: 'no-store', credentials: 'omit' }),
    );
    return (await Promise.all(asked)).every(({ ok }) => ok);
  } catch {
    return false;
  }
}
