/**
 * A site that is closed for maintenance: its visitors meet one page that says so,
 * with the status by which search engines come back later. Admins get through, and
 * so does every way by which somebody becomes one, so that nobody is locked out;
 * sign-up is none. Customers reach the exchanges that they have made, whose times go on. What was typed on an open page and comes as the site closes gets
 * through to its form: the service takes nothing of it, and the form says so and holds it.
 */
import type { RequestEvent } from '@sveltejs/kit';

/** The page that says it. */
const PAGE = '/maintenance';

/** Ways in for who has an account, what letters lead to, exchanges that were made, and files that the page itself or a crawler needs. */
const open =
  /^\/(\(auth\)(?!\/signup(\/|$))|\(email-link\)|\(account\)\/exchanges|admin|media|_theme|_policy-reports|favicon\.svg|rosette\.svg|robots\.txt|\(site\)\/signout)(\/|$)/;

/** Forms that visitors write in. */
const forms = /^\/(\(site\)\/(contact|feature-report|subscribe)|\(auth\)\/signup)$/;

type Asked = Pick<RequestEvent, 'route' | 'locals' | 'isSubRequest'> & {
  readonly request: { method: string };
};

/** Whether this request is to be answered with `closedAnswer`. */
export function isClosed({ route, locals, request, isSubRequest }: Asked): boolean {
  if (!locals.wide.maintenance?.enabled || locals.user?.role === 'admin') return false;
  if (route.id === null) return true;
  // Asked for by its own address it is closed as every page is.
  if (route.id === PAGE) return !isSubRequest;
  return !open.test(route.id) && !(request.method === 'POST' && forms.test(route.id));
}

export async function closedAnswer(event: RequestEvent): Promise<Response> {
  const headers = new Headers({
    'cache-control': 'no-store',
    'retry-after': String((event.locals.wide.maintenance?.retry_minutes ?? 1) * 60),
    'x-robots-tag': 'noindex',
  });
  // The browser's router shows its own page for this status.
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
