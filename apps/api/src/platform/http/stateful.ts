/**
 * Which requests count as coming from the frontend: by Referer, else Origin, as host and port, parsed and
 * compared whole, never by prefix, or `app.test.evil.test` would pass.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../config.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether the method promises to change nothing (RFC 9110, 9.2.1). */
export function isSafe(method: string): boolean {
  return SAFE_METHODS.has(method);
}

/**
 * False for a request from a foreign page: its cookies are ignored. A request with neither header is stateful,
 * so that a plain client can follow the specification's five steps; it still needs the CSRF token.
 */
export function isStateful(
  headers: IncomingHttpHeaders,
  { statefulDomains }: Pick<Config, 'statefulDomains'>,
): boolean {
  const source = headers.referer || headers.origin;
  return !source || isListed(source, statefulDomains);
}

/** Whether a foreign page sent a write, whatever its token. Browsers set these headers; scripts cannot. */
export function isForeignWrite(headers: IncomingHttpHeaders, config: Config): boolean {
  const { origin } = headers;
  const listed = origin === undefined || isListed(origin, config.statefulDomains);
  if (!listed) return true;
  // SameSite=None is for a frontend on another site.
  const crossSiteAllowed = config.session.sameSite === 'none' && origin !== undefined;
  return headers['sec-fetch-site'] === 'cross-site' && !crossSiteAllowed;
}

/** Whether a foreign page led the browser here; false for a typed address or an old browser, which send no header. */
export function isForeignNavigation(
  headers: IncomingHttpHeaders,
  { statefulDomains }: Pick<Config, 'statefulDomains'>,
): boolean {
  const source = headers.referer || headers.origin;
  if (source) return !isListed(source, statefulDomains);
  return headers['sec-fetch-site'] === 'cross-site';
}

/** Whether a page of the frontend led the browser here. */
export function isOwnNavigation(
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
