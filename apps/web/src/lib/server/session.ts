/** Who is asking, and whether the page they ask for is theirs to see. */
import type { RequestEvent } from '@sveltejs/kit';
import { currentUser, type User } from '@cambist/contract/accounts';
import { ApiError } from '#lib/api/client.ts';
import { safeNext, signInFrom } from '#lib/account/next-path.ts';
import type { Relay } from './relay.ts';

export interface Visitor {
  user: User | null;
  userUnknown: boolean;
}

/** A guest, without asking. */
export const nobody: Visitor = { user: null, userUnknown: false };

/** Asks the API who this is; only visitors with session cookies cost a question. */
export async function loadVisitor(relay: Relay): Promise<Visitor> {
  if (!relay.hasSession) return nobody;
  try {
    return { user: await relay.call(currentUser), userUnknown: false };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401)
      return { user: null, userUnknown: false };
    // Public pages still render when the API is away; guarded ones say so.
    return { user: null, userUnknown: true };
  }
}

/** Whether the route belongs to signed-in people. */
export function isGuarded(routeId: string | null): boolean {
  return routeId !== null && (routeId.startsWith('/(account)') || routeId.startsWith('/admin'));
}

const filesForEverybody: ReadonlySet<string> = new Set([
  '/media/[name]',
  '/_policy-reports',
  '/robots.txt',
  '/sitemap.xml',
  '/sitemap-[number].xml',
  '/(site)/blog/rss.xml',
  '/(site)/blog/atom.xml',
]);

/** Whether it is a file that is the same for everybody: nobody need be known for it. */
export function isForEverybody(routeId: string | null): boolean {
  return routeId !== null && filesForEverybody.has(routeId);
}

/**
 * The address this visitor must be led to instead, or null when they may stay.
 * An admin page for someone who is not an admin stays here and answers 403.
 */
export function detour(event: RequestEvent, visitor: Visitor): string | null {
  const { route, url } = event;
  if (isGuarded(route.id) && visitor.user === null && !visitor.userUnknown) {
    return signInFrom(event);
  }
  if (!route.id?.startsWith('/(auth)') || visitor.user === null) return null;
  const stays = isForPasswords(url) || tellsOfLoss(event) || bringsIn(event);
  return stays ? null : insteadOfSigningIn(url, visitor.user);
}

/** Whoever is signed in may have forgotten their password too, or follow another account's letter. */
function isForPasswords({ pathname }: URL): boolean {
  return pathname === '/forgot-password' || pathname === '/reset-password';
}

const waysIn: ReadonlySet<string> = new Set([
  '/(auth)/signin',
  '/(auth)/signup',
  '/(auth)/two-factor',
  '/(auth)/two-factor/restart',
]);

/** Whether somebody signs in or up, or begins again: where another has in another tab meanwhile, they would be dropped unheard. */
function bringsIn({ request, route }: RequestEvent): boolean {
  return request.method === 'POST' && waysIn.has(route.id ?? '');
}

/** Whether the page tells that a form was lost, which whoever has signed in in another tab must hear too. */
function tellsOfLoss({ route, url }: RequestEvent): boolean {
  return route.id === '/(auth)/signin' && url.searchParams.get('trouble') === 'not_saved';
}

/** Where someone who is signed in already is led from sign-in and its kin. */
function insteadOfSigningIn({ searchParams }: URL, user: User): string {
  const trouble = searchParams.get('trouble');
  // Linking a provider came to nothing: its reason is told where it was begun.
  if (trouble !== null && trouble !== 'not_saved')
    return `/account?${new URLSearchParams({ trouble })}`;
  return safeNext(searchParams.get('next'), user.role === 'admin' ? '/admin' : '/exchanges');
}
