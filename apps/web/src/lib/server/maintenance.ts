/**
 * Maintenance: visitors get one page with status 503, after which search engines come back later.
 * Admins get through, sign-in stays open for them, and customers reach their exchanges, whose
 * deadlines go on. Forms opened before the site closed are still accepted: the API refuses them,
 * and the form says so and keeps the values.
 */
import type { RequestEvent } from '@sveltejs/kit';

const PAGE = '/maintenance';

/**
 * Sign-in, emailed links, existing exchanges, and files that the maintenance page or crawlers need.
 */
const open =
  /^\/(\(auth\)(?!\/signup(\/|$))|\(email-link\)|\(account\)\/exchanges|admin|media|_theme|_policy-reports|robots\.txt|\(site\)\/signout)(\/|$)/;

/** Public forms. */
const forms = /^\/(\(site\)\/(contact|feature-report|reserve-alert|subscribe)|\(auth\)\/signup)$/;

type Asked = Pick<RequestEvent, 'route' | 'locals' | 'isSubRequest'> & {
  readonly request: { method: string };
};

/** Whether to answer with `closedAnswer`. */
export function isClosed({ route, locals, request, isSubRequest }: Asked): boolean {
  if (!locals.wide.maintenance?.enabled || locals.user?.role === 'admin') return false;
  if (route.id === null) return true;
  // Requested by a visitor, the maintenance page is closed like any other.
  if (route.id === PAGE) return !isSubRequest;
  return !open.test(route.id) && !(request.method === 'POST' && forms.test(route.id));
}

export async function closedAnswer(event: RequestEvent): Promise<Response> {
  const headers = new Headers({
    'cache-control': 'no-store',
    'retry-after': String((event.locals.wide.maintenance?.retry_minutes ?? 1) * 60),
    'x-robots-tag': 'noindex',
  });
  // The router renders its error page for this status.
  if (event.isDataRequest)
    return Response.json({ message: 'Closed for maintenance.' }, { status: 503, headers });
  if (!event.request.headers.get('accept')?.includes('text/html')) {
    return new Response('Closed for maintenance.\n', { status: 503, headers });
  }
  const page = await event.fetch(PAGE, { headers: { accept: 'text/html' } });
  for (const name of ['content-type', 'content-security-policy', 'link']) {
    const value = page.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(page.body, { status: 503, headers });
}
