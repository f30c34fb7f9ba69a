/** Metadata for search engines and link previews, from the page and the SEO settings. */
import type { BreadcrumbList, WithContext } from 'schema-dts';
import type { SiteSettings } from '#lib/server/site-settings.ts';

export interface PageSeo {
  /** The page's own title; the settings' template surrounds it. */
  title?: string | undefined;
  description?: string | undefined;
  /** An absolute URL or a path; shown large. */
  image?: string | undefined;
  imageAlt?: string | undefined;
  type?: 'website' | 'article';
  /** An absolute URL, or a path with the relevant part of its query. */
  canonical?: string | undefined;
  /** Times are ISO 8601. */
  article?: Article | undefined;
  noindex?: boolean;
  /** JSON-LD. */
  structured?: object | readonly object[] | undefined;
}

export interface Article {
  readonly published: string;
  readonly modified: string;
  readonly author: string;
  readonly tags: readonly string[];
}

export interface Metadata {
  title: string;
  description: string;
  canonical: string;
  image: string | null;
  imageAlt: string;
  ogTitle: string;
  ogDescription: string;
  card: 'summary' | 'summary_large_image';
  twitterSite: string;
}

/** Completes the page's metadata from the settings. `path` has no query. */
export function metadata(
  page: PageSeo,
  site: SiteSettings,
  origin: string,
  path: string,
): Metadata {
  const { seo, general } = site;
  const siteName = general.site_name || 'Cambist';
  const fallback = seo.title || siteName;
  const title = page.title ? applyTemplate(seo.title_template, page.title, siteName) : fallback;
  const description = page.description || seo.meta_description || '';
  const image = page.image || seo.og_image || null;
  return {
    title,
    description,
    canonical: absolute(page.canonical ?? path, origin) ?? absolute(path, origin) ?? `${origin}/`,
    image: image === null ? null : absolute(image, origin),
    imageAlt: (page.image ? page.imageAlt : seo.og_image_alt) ?? '',
    ogTitle: page.title || seo.og_title || title,
    ogDescription: page.description || seo.og_description || description,
    card: page.image ? 'summary_large_image' : (seo.twitter_card ?? 'summary'),
    twitterSite: seo.twitter_site ?? '',
  };
}

/** The title replaces `%s` in `%s · Cambist`. */
function applyTemplate(template: string | undefined, title: string, siteName: string): string {
  return template?.includes('%s') ? template.replace('%s', () => title) : `${title} · ${siteName}`;
}

export function breadcrumbs(
  origin: string,
  steps: readonly (readonly [name: string, path: string])[],
): WithContext<BreadcrumbList> {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(([name, path], index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: new URL(path, origin).href,
    })),
  };
}

// Characters that could end the script element or, in old engines, a string.
const unsafe = new RegExp('[<>&\u2028\u2029]', 'g');

/** JSON that cannot leave its `<script>` element. */
export function jsonForScript(data: unknown): string {
  return JSON.stringify(data).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * The absolute URL of a path or URL from settings and posts. Null for an invalid one: older stored
 * values must not break a page.
 */
export function absolute(address: string, origin: string): string | null {
  return URL.canParse(address, origin) ? new URL(address, origin).href : null;
}
