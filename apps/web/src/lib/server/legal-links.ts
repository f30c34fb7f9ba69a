/**
 * Links that settings hold, as far as legal pages go: to a page that is on the site by its present
 * address, to one that was taken off by none. Pure.
 */
import type { LegalPages, ListedLegalPage } from '@cambist/contract/legal-pages';

export type Addresses = Pick<ListedLegalPage, 'slug' | 'redirects'>;

/** Of all legal pages that are or were on the site. */
export type AllAddresses = Pick<LegalPages, 'withdrawn'> & { readonly data: readonly Addresses[] };

/** The path of the page that has or had this address; null where none is on the site. */
export function legalPath(slug: string, pages: readonly Addresses[]): string | null {
  const page = pages.find((each) => each.slug === slug || each.redirects.includes(slug));
  return page === undefined ? null : `/${page.slug}`;
}

/**
 * What leads elsewhere than to a legal page stays as it is, such as `/shop` of another service at the
 * same address. `host` is the site's own, which a link may name. Null for a page that was taken off the site.
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
