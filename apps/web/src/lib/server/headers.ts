/** Security and cache headers of every answer. */
import { API_URL } from '$app/env/public';
import { ORIGIN } from '$app/env/private';

/** Where browsers send policy reports. */
const REPORTS = '/_policy-reports';
const isSecure = ORIGIN.startsWith('https:');
// Browsers ignore report-to without TLS, and where it is set they ignore report-uri.
const reporting = isSecure ? `report-uri ${REPORTS}; report-to policy` : `report-uri ${REPORTS}`;

// SvelteKit's last-resort error page has no policy and needs its inline style only.
const bareDocumentPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

// Programs read feeds, maps and data; a browser that shows one must load nothing.
const filePolicy = "default-src 'none'; frame-ancestors 'none'";

/** Adds the API's origin, known only at run time, and the styles in the document to the policy. */
function completed(policy: string, { styleHashes }: Own): string {
  const open = policy.replace(/\b(connect-src|img-src) ([^;]*)/g, `$1 $2 ${API_URL}`);
  if (styleHashes.length === 0) return open;
  return open.replace(/\bstyle-src [^;]*/, `$& ${styleHashes.join(' ')}`);
}

interface Own {
  /** Of the styles in the document. */
  readonly styleHashes: readonly string[];
}

export interface Answered extends Own {
  readonly requestId: string;
  /** Belongs to one user: caches must not store it. */
  readonly personal: boolean;
  readonly noindex: boolean;
}

export function setSecurityHeaders(
  headers: Headers,
  { requestId, personal, noindex, ...own }: Answered,
): void {
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false;
  if (isPage) setPagePolicy(headers, own);
  else if (/^(text|application)\//.test(headers.get('content-type') ?? ''))
    headers.set('content-security-policy', filePolicy);
  if (noindex) headers.set('x-robots-tag', 'noindex');

  headers.set('x-content-type-options', 'nosniff');
  // Not `no-referrer`: the API recognises this site by Referer or Origin.
  headers.set('referrer-policy', 'strict-origin-when-cross-origin');
  headers.set('cross-origin-opener-policy', 'same-origin');
  // A document may allow this site to frame it.
  if (!headers.has('x-frame-options')) headers.set('x-frame-options', 'DENY');
  if (headers.get('x-frame-options') === 'SAMEORIGIN') allowOwnFrames(headers);
  headers.set(
    'permissions-policy',
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
  );
  headers.set('x-request-id', requestId);
  if (isSecure) {
    headers.set('strict-transport-security', 'max-age=31536000; includeSubDomains');
  }
  if (personal) headers.set('cache-control', 'no-store');
  // An address that moved may move back, and a cached redirect would then loop.
  else if ((isPage || headers.has('location')) && !headers.has('cache-control'))
    headers.set('cache-control', 'private, no-cache');
}

function setPagePolicy(headers: Headers, own: Own): void {
  if (isSecure) headers.set('reporting-endpoints', `policy="${REPORTS}"`);
  const policy = headers.get('content-security-policy');
  // The maintenance page got its policy in its own request.
  if (policy?.includes(REPORTS)) return;
  const whole = policy ? completed(policy, own) : bareDocumentPolicy;
  headers.set('content-security-policy', `${whole}; ${reporting}`);
}

/** Allows pages of this site to frame it. */
function allowOwnFrames(headers: Headers): void {
  const policy = headers.get('content-security-policy') ?? '';
  headers.set(
    'content-security-policy',
    policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
  );
}

/** For pages whose address contains a secret: no referrer passes it on. */
export function hideAddress(headers: Headers): void {
  headers.set('referrer-policy', 'strict-origin');
}
