/** Where to go on after sign-in, sign-up and emails: the path in `next`. Pure. */

/**
 * The path in `next`, if it belongs to this site. `//host`, `/\\host`, `/.//host` and schemes lead elsewhere and are
 * replaced by `fallback`. The result is encoded as browsers send it, so it fits into a header.
 */
export function safeNext(value: string | null | undefined, fallback = '/exchanges'): string {
  if (!value || !/^\/(?![/\\])/.test(value) || /[\u0000-\u001f]/.test(value)) return fallback;
  const { pathname, search, hash } = new URL(value, 'https://here.invalid');
  return /^\/[./]*\//.test(value) || pathname.startsWith('//')
    ? fallback
    : pathname + search + hash;
}

/** The sign-in page, which then leads back to `path`. */
export function signInPath(path: string): string {
  return `/signin?next=${encodeURIComponent(path)}`;
}

/** The sign-in page for a request whose session has ended. What a form sent is lost, and the page says so. */
export function signInFrom({ request, url }: { request: { method: string }; url: URL }): string {
  if (request.method !== 'POST') return signInPath(url.pathname + url.search);
  return `${signInPath(withoutAction(url))}&trouble=not_saved`;
}

/** The path and query of an address without the name of its form action. */
export function withoutAction({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  const rest = search.slice(1).replace(/^\/[^&]*&?/, '');
  return rest === '' ? pathname : `${pathname}?${rest}`;
}

export interface Address {
  readonly searchParams: Pick<URLSearchParams, 'get'>;
}

/** The path of another page, with the `next` of this one. */
export function keepNext(path: string, { searchParams }: Address): string {
  const next = searchParams.get('next');
  return next === null ? path : `${path}?${new URLSearchParams({ next })}`;
}

/** The API refuses a longer `next`; a sign-up must not fail because of it. */
const maxNextLength = 4000;

/** The `next` that the API puts into the link of the confirmation email. */
export function nextForEmail(next: string | null): { next?: string } {
  return next === null || next.length > maxNextLength ? {} : { next };
}
