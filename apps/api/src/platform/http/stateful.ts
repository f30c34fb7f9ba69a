/**
 * Whose requests carry the session: those that come from the frontend. Decided
 * by Referer, else Origin, as host and port, parsed and compared whole: never
 * by prefix, or `app.test.evil.test` would pass.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../config.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether the method promises to change nothing (RFC 9110, 9.2.1). */
export function isSafe(method: string): boolean {
  return SAFE_METHODS.has(method);
}

/**
 * `false`: the request comes from a foreign page, its cookies are ignored.
 * Neither header: stateful, so that a plain client can follow the
 * specification's five steps; the CSRF token is still demanded.
 */
export function isStateful(
  headers: IncomingHttpHeaders,
  { statefulDomains }: Pick<Config, 'statefulDomains'>,
): boolean {
  const source = headers.referer || headers.origin;
  return !source || isListed(source, statefulDomains);
}

/**
 * Whether a writing request was sent by a foreign page, whatever token it
 * carries. Browsers set these two headers themselves; a script cannot.
 */
export function isForeignWrite(headers: IncomingHttpHeaders, config: Config): boolean {
  const { origin } = headers;
  const listed = origin === undefined || isListed(origin, config.statefulDomains);
  if (!listed) return true;
  // SameSite=None is only chosen by who serves the frontend from another site.
  const crossSiteAllowed = config.session.sameSite === 'none' && origin !== undefined;
  return headers['sec-fetch-site'] === 'cross-site' && !crossSiteAllowed;
}

/**
 * Whether somebody else's page has led the browser here. A navigation that says nothing, typed or
 * from an old browser, is nobody's.
 */
export function isLuredHere(
  headers: IncomingHttpHeaders,
  { statefulDomains }: Pick<Config, 'statefulDomains'>,
): boolean {
  const source = headers.referer || headers.origin;
  if (source) return !isListed(source, statefulDomains);
  return headers['sec-fetch-site'] === 'cross-site';
}

/** Whether a page of the frontend has led the browser here, as the browser itself says. */
export function isLedHere(
  headers: IncomingHttpHeaders,
  { statefulDomains }: Pick<Config, 'statefulDomains'>,
): boolean {
  const source = headers.referer || headers.origin;
  if (source) return isListed(source, statefulDomains);
  return ['same-origin', 'same-site'].includes(String(headers['sec-fetch-site']));
}

function isListed(source: string, domains: readonly string[]): boolean {
  const url = URL.canParse(source) ? new URL(source) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false;
  return domains.includes(url.host);
}
