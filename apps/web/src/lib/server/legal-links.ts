/**
 * Links that settings hold, as far as legal pages go: to a page that is on the site by its present
 * address, to one that is not by none. Pure.
 */
import { reservedSlugs, type ListedLegalPage } from '@cambist/contract/legal-pages';

export type Addresses = Pick<ListedLegalPage, 'slug' | 'redirects'>;

/** The path of the page that has or had this address; null where none is on the site. */
export function legalPath(slug: string, pages: readonly Addresses[]): string | null {
  const page = pages.find((each) => each.slug === slug || each.redirects.includes(slug));
  return page === undefined ? null : `/${page.slug}`;
}

/** What leads elsewhere than to a legal page stays as it is. Null for what would lead nowhere. */
export function livingHref(href: string, pages: readonly Addresses[]): string | null {
  const [, typed, rest = ''] = /^\/([a-z0-9-]+)\/?([?#].*)?$/i.exec(href) ?? [];
  const slug = typed?.toLowerCase();
  if (slug === undefined || reserved.has(slug)) return href;
  const path = legalPath(slug, pages);
  return path === null ? null : path + rest;
}

const reserved: ReadonlySet<string> = new Set(reservedSlugs);
