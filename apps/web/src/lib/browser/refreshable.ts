import { API_URL } from '$app/env/public';

/**
 * Whether server-rendered parts may be refreshed. Not while the focus is inside one, which would be
 * lost, and not while the API or the site is down, which would replace the page by an error page.
 */
export async function isRefreshable(): Promise<boolean> {
  if (document.activeElement?.closest('[data-static]')) return false;
  try {
    // A cheap request to each of the two services.
    const asked = ['/favicon.svg', `${API_URL}/api/public/rates-showcase`].map((address) =>
      fetch(address, { method: 'HEAD', cache: 'no-store', credentials: 'omit' }),
    );
    return (await Promise.all(asked)).every(({ ok }) => ok);
  } catch {
    return false;
  }
}
