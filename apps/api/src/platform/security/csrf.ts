/** Protection against cross-site request forgery. */
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '#kernel/refusal.ts';
import { readCookies } from '#platform/http/cookies.ts';
import { sameText, type Keys } from './keys.ts';
import { XSRF_COOKIE, xsrfToken, type Session } from './sessions.ts';

export function csrfMismatch(): Refusal {
  return new Refusal(419, 'csrf_token_mismatch', 'CSRF token mismatch.');
}

/**
 * Refuses with 419 unless the URL-decoded header X-XSRF-TOKEN equals both an XSRF-TOKEN cookie of the request
 * and the session's own token. A sibling subdomain can set the cookie, but does not know the token.
 */
export function checkCsrf(keys: Keys, headers: IncomingHttpHeaders, session: Session): void {
  const header = headers['x-xsrf-token'];
  const sent = typeof header === 'string' ? decoded(header) : '';
  const cookies = readCookies(headers.cookie).get(XSRF_COOKIE) ?? [];
  const inCookie = cookies.some((value) => sameText(decoded(value), sent));
  const ofSession = sameText(xsrfToken(keys, session), sent);
  if (!inCookie || !ofSession) throw csrfMismatch();
}

/** Clients copy the cookie's value with or without decoding it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
