/** Addresses typed in capitals, or of pages that moved. */
import { error, redirect } from '@sveltejs/kit';

const slug = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * The slug to look up.
 * @throws 404 when it cannot be one
 */
export function slugIn(typed: string): string {
  const small = typed.toLowerCase();
  if (!slug.test(small)) error(404);
  return small;
}

/**
 * Redirects to the page's own address with the query, permanently when it has moved.
 * @throws a redirect
 */
export function redirectToSlug(typed: string, found: string, path: string, { search }: URL): void {
  if (typed === found) return;
  redirect(typed.toLowerCase() === found ? 308 : 301, path + search);
}
