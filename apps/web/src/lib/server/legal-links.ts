/**
 * Resolves links in the settings that lead to legal pages: moved pages get their present address,
 * unpublished pages lose the link. Pure.
 */
import type { LegalPages, ListedLegalPage } from '@cambist/contract/legal-pages';

export type Addresses = Pick<ListedLegalPage, 'slug' | 'redirects'>;

/** All legal pages that are or were published. */
export type AllAddresses = Pick<LegalPages, 'withdrawn'> & { readonly data: readonly Addresses[] };

/** The path of the page that has or had this address; null when none is published. */
export function legalPath(slug: string, pages: readonly Addresses[]): string | null {
  const page = pages.find((each) => each.slug === slug || each.redirects.includes(slug));
  return page === undefined ? null : `/${page.slug}`;
}

/**
 * Leaves links to anything else alone, such as `/shop` of another service on this host. `host` is
 * the site's own. Null for an unpublished page.
 */
export function livingHref(
  href: string,
  { data, withdrawn }: AllAddresses,
  host: string,
): string | null {
  const named = URL.parse(href);
  const own = named?.host === host ? named.pathname + named.search + named.hash : href;
  const [, typed, rest = ''] = /^\/([a-z0-9-]+)\/?([?#].*)?$/i.exec(own) ?? [];
  const slug = typed?.toLowerCase();
  if (slug === undefined) return href;
  const path = legalPath(slug, data);
  if (path !== null) return path + rest;
  return withdrawn.includes(slug) ? null : href;
}
