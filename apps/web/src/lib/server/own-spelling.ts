/** Addresses that somebody typed or copied in capitals: those of this site have none. */
import { error, redirect } from '@sveltejs/kit';

const slug = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** The slug to look for. @throws 404 for what can be none: the API need not be asked. */
export function slugIn(typed: string): string {
  const small = typed.toLowerCase();
  if (!slug.test(small)) error(404);
  return small;
}

/**
 * For what was found: on to its own address, for good where it has moved. What was
 * asked beside the address, such as a letter's mark, goes along. @throws a redirect
 */
export function leadOn(typed: string, found: string, path: string, { search }: URL): void {
  if (typed === found) return;
  redirect(typed.toLowerCase() === found ? 308 : 301, path + search);
}
