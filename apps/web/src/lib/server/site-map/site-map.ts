/** The site map (sitemaps.org 0.9) and robots.txt (RFC 9309), as the settings ask for. Pure. */
import type { SitemapRobots } from '@cambist/contract/site-wide';
import { xmlText, xmlDocument } from './xml.ts';

export interface Listed {
  readonly path: string;
  /** ISO 8601; null when unknown. */
  readonly changed: string | null;
}

const SITE_MAP = 'http://www.sitemaps.org/schemas/sitemap/0.9';

export function urlset(origin: string, pages: readonly Listed[]): string {
  const urls = pages.map((page) => `<url>${placeOf(origin, page)}</url>`);
  return xmlDocument([`<urlset xmlns="${SITE_MAP}">`, ...urls, '</urlset>']);
}

/** Areas that belong to one user. */
const ownAreas = ['/account', '/admin', '/exchanges', '/preview'];
/** Links whose addresses are secrets. */
const secretLinks = [
  '/blog/preview/',
  '/legal-preview/',
  '/reserve-alert/',
  '/status/',
  '/subscribe/',
  '/unsubscribe/',
  '/verify-email',
];
/** A legal page may start with the same letters. */
const neverCrawled = [
  ...ownAreas.flatMap((area) => [`${area}$`, `${area}/`, `${area}?`]),
  ...secretLinks,
];

/** A site that must not be indexed may be crawled, so that crawlers see `noindex`. */
export function robotsText(
  origin: string,
  { noindex, disallow, allow }: Pick<SitemapRobots, 'noindex' | 'disallow' | 'allow'>,
): string {
  const lines = [
    'User-agent: *',
    ...[...neverCrawled, ...disallow].map((path) => `Disallow: ${path}`),
    ...allow.map((path) => `Allow: ${path}`),
    ...(noindex ? [] : ['', `Sitemap: ${address(origin, '/sitemap.xml')}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function placeOf(origin: string, { path, changed }: Listed): string {
  const lastmod = changed === null ? '' : `<lastmod>${xmlText(changed)}</lastmod>`;
  return `<loc>${address(origin, path)}</loc>${lastmod}`;
}

function address(origin: string, path: string): string {
  return xmlText(new URL(path, origin).href);
}
