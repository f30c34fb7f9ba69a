/** Who the visitor is, and whether they may see the page. */
import type { RequestEvent } from '@sveltejs/kit';
import { currentUser, type User } from '@cambist/contract/accounts';
import { ApiError } from '#lib/api/client.ts';
import { safeNext, signInFrom } from '#lib/account/next-path.ts';
import type { Relay } from './relay.ts';

export interface Visitor {
  user: User | null;
  userUnknown: boolean;
}

export const guest: Visitor = { user: null, userUnknown: false };

/** Asks the API only when there are session cookies. */
export async function loadVisitor(relay: Relay): Promise<Visitor> {
  if (!relay.hasSession) return guest;
  try {
    return { user: await relay.call(currentUser), userUnknown: false };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401)
      return { user: null, userUnknown: false };
    // Public pages still render when the API is down.
    return { user: null, userUnknown: true };
  }
}

/** Whether the route needs a signed-in user. */
export function isGuarded(routeId: string | null): boolean {
  return routeId !== null && (routeId.startsWith('/(account)') || routeId.startsWith('/admin'));
}

const sharedFiles: ReadonlySet<string> = new Set([
  '/media/[name]',
  '/_policy-reports',
  '/robots.txt',
  '/sitemap.xml',
  '/(site)/blog/rss.xml',
]);

/** Whether it is a file that is the same for all visitors. */
export function isSharedFile(routeId: string | null): boolean {
  return routeId !== null && sharedFiles.has(routeId);
}

/**
 * The path to redirect this visitor to, or null when they may stay. An admin page stays and answers
 * 403 to a user who is no admin.
 */
export function redirectFor(event: RequestEvent, visitor: Visitor): string | null {
  const { route, url } = event;
  if (isGuarded(route.id) && visitor.user === null && !visitor.userUnknown) {
    return signInFrom(event);
  }
  if (!route.id?.startsWith('/(auth)') || visitor.user === null) return null;
  const stays = isPasswordPage(url) || isLostFormPage(event) || isSigningIn(event);
  return stays ? null : pathOfSignedIn(url, visitor.user);
}

/** Signed-in users may have forgotten their password, or open the link of another account. */
function isPasswordPage({ pathname }: URL): boolean {
  return pathname === '/forgot-password' || pathname === '/reset-password';
}

const signInRoutes: ReadonlySet<string> = new Set([
  '/(auth)/signin',
  '/(auth)/signup',
  '/(auth)/two-factor',
]);

/** Signing in or up must work although another user has signed in in another tab. */
function isSigningIn({ request, route }: RequestEvent): boolean {
  return request.method === 'POST' && signInRoutes.has(route.id ?? '');
}

/** The page that says a form was lost, which a user who signed in in another tab must see too. */
function isLostFormPage({ route, url }: RequestEvent): boolean {
  return route.id === '/(auth)/signin' && url.searchParams.get('trouble') === 'not_saved';
}

/** Where a signed-in user goes instead of sign-in and sign-up. */
function pathOfSignedIn({ searchParams }: URL, user: User): string {
  const trouble = searchParams.get('trouble');
  // Linking a provider failed: the account page, where it began, says why.
  if (trouble !== null && trouble !== 'not_saved')
    return `/account?${new URLSearchParams({ trouble })}`;
  return safeNext(searchParams.get('next'), user.role === 'admin' ? '/admin' : '/exchanges');
}
