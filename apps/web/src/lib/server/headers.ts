/** The security headers of every answer, and what caches may keep of it. */
import { API_URL } from '$app/env/public';
import { ORIGIN } from '$app/env/private';

/** Where browsers say what the policy has stopped. */
const REPORTS = '/_policy-reports';
const isSecure = ORIGIN.startsWith('https:');
// Without TLS browsers know no endpoints by name, and where one is named they send nothing to the address beside it.
const reporting = isSecure ? `report-uri ${REPORTS}; report-to policy` : `report-uri ${REPORTS}`;

// Pages that SvelteKit writes without its renderer (the last-resort error page)
// carry no policy of their own: they need their inline style and nothing else.
const bareDocumentPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

// Feeds, maps and data are read by programs; a browser that shows one runs and loads nothing for it.
const filePolicy = "default-src 'none'; frame-ancestors 'none'";

/** Lets pages reach the API's origin, which only the running server knows, and dress as the desk wants. */
function completed(policy: string, { styleHash }: Own): string {
  const open = policy.replace(/\b(connect-src|img-src) ([^;]*)/g, `$1 $2 ${API_URL}`);
  return styleHash === null ? open : open.replace(/\bstyle-src [^;]*/, `$& ${styleHash}`);
}

interface Own {
  /** The source of the desk's own style sheet, where this page has it. */
  readonly styleHash: string | null;
}

export interface Answered extends Own {
  readonly requestId: string;
  /** Somebody's own: no cache keeps it. */
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
  // Never no-referrer: the API recognises this site by Referer or Origin.
  headers.set('referrer-policy', 'strict-origin-when-cross-origin');
  headers.set('cross-origin-opener-policy', 'same-origin');
  // A page may show a document of this site in a frame, if that document says so.
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
  // What moved may move back: a browser that keeps the first move could open neither address.
  else if ((isPage || headers.has('location')) && !headers.has('cache-control'))
    headers.set('cache-control', 'private, no-cache');
}

function setPagePolicy(headers: Headers, own: Own): void {
  if (isSecure) headers.set('reporting-endpoints', `policy="${REPORTS}"`);
  const policy = headers.get('content-security-policy');
  // The page of a closed site was made, and has its policy, by a request of its own.
  if (policy?.includes(REPORTS)) return;
  const whole = policy ? completed(policy, own) : bareDocumentPolicy;
  headers.set('content-security-policy', `${whole}; ${reporting}`);
}

/** Only pages of this site may show it in a frame. */
function allowOwnFrames(headers: Headers): void {
  const policy = headers.get('content-security-policy') ?? '';
  headers.set(
    'content-security-policy',
    policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
  );
}

/** For pages whose address is a secret of its reader's: no referrer carries it on. */
export function keepAddress(headers: Headers): void {
  headers.set('referrer-policy', 'strict-origin');
}
