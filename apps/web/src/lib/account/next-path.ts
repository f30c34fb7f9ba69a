/**
 * Where a person was going before they were asked to sign in. Only a path of
 * this site is believed: `//host`, `/\host` and schemes would lead elsewhere,
 * and so would `/.//host` to whoever takes its dots away. It comes back as
 * browsers send it, in signs that a header can hold.
 */
export function safeNext(value: string | null | undefined, fallback = '/exchanges'): string {
  if (!value || !/^\/(?![/\\])/.test(value) || /[\u0000-\u001f]/.test(value)) return fallback;
  const { pathname, search, hash } = new URL(value, 'https://here.invalid');
  return /^\/[./]*\//.test(value) || pathname.startsWith('//')
    ? fallback
    : pathname + search + hash;
}

/** The sign-in page that afterwards leads back to `path`. */
export function signInPath(path: string): string {
  return `/signin?next=${encodeURIComponent(path)}`;
}

/** Where to when the session is over: to sign-in and back. What a form sent is lost, and said to be. */
export function signInFrom({ request, url }: { request: { method: string }; url: URL }): string {
  if (request.method !== 'POST') return signInPath(url.pathname + url.search);
  return `${signInPath(withoutAction(url))}&trouble=not_saved`;
}

/** The page of an address, without the name of the form that was sent to it. */
export function withoutAction({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  const rest = search.slice(1).replace(/^\/[^&]*&?/, '');
  return rest === '' ? pathname : `${pathname}?${rest}`;
}
